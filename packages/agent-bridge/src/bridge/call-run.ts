import { setTimeout as delay } from "node:timers/promises";
import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { isOutOfRoom, isTransient } from "@crosszone/sql";
import { agentOnWay } from "../canary/chosen-way.ts";
import type { CanaryWatch } from "../canary/watch-canaries.ts";
import { AgentFailure } from "../agent-failure.ts";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { HeldCall, TakenCall } from "../calls/agent-call.ts";
import type { AgentCaller, CallEnd } from "../calls/agent-caller.ts";
import { asFailure } from "../calls/as-failure.ts";
import type { CallResult, CallStore } from "../calls/call-store.ts";
import { failureResult, successResult } from "./agent-results.ts";
import { CallReleased } from "./call-released.ts";
import { createProgressWriter } from "./progress-writer.ts";
import { refusalOf } from "./refusal-of.ts";
import { taskIdsOf } from "./task-ids.ts";

export interface CallRunDeps {
  readonly store: Pick<CallStore, "end" | "keepRemoteId" | "keepProgress" | "lost">;
  readonly caller: AgentCaller;
  readonly observer: BridgeObserver;
  /** The most runs of a call when processes crash. */
  readonly mostAttempts: number;
  /** Called when the end of a call that began during a canary is durable. Must not throw. */
  readonly onTrialEnded?: CanaryWatch["ended"] | undefined;
  /** Called after each event of an agent's stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: ((task: StreamedTask, artifacts: readonly unknown[]) => void) | undefined;
}

/** The task whose artifacts are streamed. */
export type StreamedTask = Pick<AgentTask, "run_id" | "task_id">;

/** A call that runs in this process. */
export interface CallRun extends HeldCall {
  /**
   * Ends the work without storing an end: with an `AgentFailure` when the task is over, with a `CallReleased` when it
   * continues elsewhere.
   */
  readonly drop: (reason: AgentFailure | CallReleased) => void;
  /** The agent is done, and its result is being stored. */
  readonly isEnding: boolean;
  /** Tries to store the result once more, then gives up. */
  readonly abandon: () => void;
  readonly tellLetGo: (why: "canceled" | "taken_over" | "stopping") => void;
  /** Resolves when the run is over; never rejects. */
  readonly ended: Promise<void>;
}

type End = Pick<CallEnd, "output" | "failure" | "filesLeftOut"> & { readonly attempts?: number };

/** The caller of the agent enforces the deadline. If it fails to, the call is aborted this much later, milliseconds. */
const lateMs = 2_000;
const [firstPauseMs, longestPauseMs] = [50, 2_000];

/**
 * Runs a taken call on its agent and stores its end as soon as the store accepts it, unless the call is lost before.
 */
export function startCallRun(deps: CallRunDeps, taken: TakenCall, agent: AgentRecord | undefined): CallRun {
  const { store, caller, observer, mostAttempts } = deps;
  const { id, attempt, task, headers, remoteId, way, remainingMs, waitedMs } = taken;
  const ids = taskIdsOf(task, headers);
  const startedAt = performance.now();
  const [controller, abandoned] = [new AbortController(), new AbortController()];
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After its end the call can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  let isDropped = false;
  let isEnding = false;

  const onProgress = createProgressWriter({
    write: (progress) => store.keepProgress(taken, progress),
    isOver: () => isEnding || isDropped,
    onFailure: (cause) => observer.storeFailed("progress", cause),
  });
  const stop = (reason: AgentFailure | CallReleased): void => {
    reject(reason);
    controller.abort(reason);
  };
  const tellLetGo: CallRun["tellLetGo"] = (why) => observer.taskLetGo(ids, why);
  const durationMs = (): number => Math.round(waitedMs + performance.now() - startedAt);

  async function run(): Promise<void> {
    observer.taskTaken(ids, { take: attempt, waitedMs });
    const end = await work();
    if (isDropped) return;
    isEnding = true;
    await settle(end);
  }

  async function work(): Promise<End> {
    const refusal = refusalOf(taken, agent, mostAttempts);
    if (refusal !== undefined || agent === undefined) {
      if (refusal) observer.taskRefused(ids, { failure: refusal, attempts: 0, durationMs: durationMs() });
      return { output: null, failure: refusal };
    }
    const late = (): void => stop(new AgentFailure("deadline_exceeded", "The task's deadline passed."));
    const timer = setTimeout(late, remainingMs + lateMs);
    const { signal } = controller;
    const { traceparent } = headers;
    const onArtifacts = (artifacts: readonly unknown[]): void => deps.onArtifacts?.(task, artifacts);
    const told = { onRemoteId, onProgress, onArtifacts };
    const call = { deadlineAt: Date.now() + remainingMs, signal, remoteId, traceparent, ...told };
    try {
      const called = way === undefined ? agent : agentOnWay(agent, way);
      return await Promise.race([caller.call(task, called, call), stopped]);
    } catch (error) {
      return { output: null, failure: asFailure(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async function onRemoteId(name: string): Promise<void> {
    if (!(await store.keepRemoteId(taken, name))) throw new CallReleased("this process no longer holds the call");
  }

  async function settle({ output, failure, attempts, filesLeftOut }: End): Promise<void> {
    const effort = {
      duration_ms: durationMs(),
      ...(attempts !== undefined && { attempts }),
      ...(filesLeftOut !== undefined && { files_left_out: [...filesLeftOut] }),
    };
    const tookMs = Math.round(performance.now() - startedAt);
    const endOf = (why: AgentFailure | undefined): CallResult =>
      why === undefined
        ? { state: "succeeded", result: successResult(task, output, effort), headers, tookMs }
        : { state: "failed", result: failureResult(task, why, effort), headers, tookMs };
    let told = failure;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const end = endOf(told);
        if (!(await store.end(taken, end))) return await lose();
        const { state } = end;
        observer.taskEnded(ids, { state, durationMs: durationMs(), failure: told });
        if (way?.trial) deps.onTrialEnded?.(task.agent_name, way.trial, { state, kind: told?.kind ?? null });
        return;
      } catch (cause) {
        observer.storeFailed("end", cause);
        if (abandoned.signal.aborted) return;
        if (!isTransient(cause) && !isOutOfRoom(cause)) {
          // Its lease expires, and the call is judged again.
          if (told?.cause === unstorable) return;
          told = new AgentFailure("internal", "The agent's result could not be stored.", { cause: unstorable });
          observer.resultRefused(ids, { attempts, durationMs: durationMs(), failure: told });
        }
        await delay(pauseMs, undefined, { signal: abandoned.signal }).catch(() => undefined);
      }
    }
  }

  async function lose(): Promise<void> {
    const [found] = await store.lost([taken]);
    tellLetGo(found?.state === "canceled" ? "canceled" : "taken_over");
  }

  return {
    id,
    attempt,
    drop: (reason) => {
      isDropped = true;
      stop(reason);
    },
    get isEnding() {
      return isEnding;
    },
    abandon: () => abandoned.abort(),
    tellLetGo,
    ended: run().catch((cause: unknown) => observer.storeFailed("end", cause)),
  };
}

/** The cause of a result that the store rejects. */
const unstorable = new Error("the store rejects the result");
