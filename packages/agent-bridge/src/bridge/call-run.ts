import { setTimeout as delay } from "node:timers/promises";
import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { isOutOfRoom, isTransient } from "@crosszone/sql";
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
  /** How often a call is begun at most, when processes die. */
  readonly mostAttempts: number;
  /** Called after each event of an agent's stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: ((task: StreamedTask, artifacts: readonly unknown[]) => void) | undefined;
}

/** The task whose artifacts are streamed. */
export type StreamedTask = Pick<AgentTask, "run_id" | "task_id">;

/** One call that runs in this process. */
export interface CallRun extends HeldCall {
  /** Ends the work and says nothing of it: an `AgentFailure` when the task is over, a `CallReleased` when it goes on elsewhere. */
  readonly drop: (reason: AgentFailure | CallReleased) => void;
  /** The agent is done, and its result is being stored. */
  readonly isEnding: boolean;
  /** The result is tried to be stored once more, then no more. */
  readonly abandon: () => void;
  readonly tellLetGo: (why: "canceled" | "taken_over" | "stopping") => void;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

type End = Pick<CallEnd, "output" | "failure" | "filesLeftOut"> & { readonly attempts?: number };

/** Who calls the agent sees to the deadline; only when it has not by then, the call is cut. Milliseconds. */
const lateMs = 2_000;
const [firstPauseMs, longestPauseMs] = [50, 2_000];

/** Has a call that was taken done by its agent, and stores its end as soon as the store takes it, unless the call is lost before. */
export function startCallRun(deps: CallRunDeps, taken: TakenCall, agent: AgentRecord | undefined): CallRun {
  const { store, caller, observer, mostAttempts } = deps;
  const { id, attempt, task, headers, remoteId, remainingMs, waitedMs } = taken;
  const ids = taskIdsOf(task, headers);
  const startedAt = performance.now();
  const [controller, abandoned] = [new AbortController(), new AbortController()];
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // A call that has its end is not stopped any more, and then nobody looks at this.
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
      return await Promise.race([caller.call(task, agent, call), stopped]);
    } catch (error) {
      return { output: null, failure: asFailure(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async function onRemoteId(name: string): Promise<void> {
    if (!(await store.keepRemoteId(taken, name))) throw new CallReleased("the call is no longer held here");
  }

  async function settle({ output, failure, attempts, filesLeftOut }: End): Promise<void> {
    const effort = {
      duration_ms: durationMs(),
      ...(attempts !== undefined && { attempts }),
      ...(filesLeftOut !== undefined && { files_left_out: [...filesLeftOut] }),
    };
    const endOf = (why: AgentFailure | undefined): CallResult =>
      why === undefined
        ? { state: "succeeded", result: successResult(task, output, effort), headers }
        : { state: "failed", result: failureResult(task, why, effort), headers };
    let told = failure;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const end = endOf(told);
        if (!(await store.end(taken, end))) return await lose();
        return observer.taskEnded(ids, {
          state: told ? "failed" : "succeeded",
          durationMs: durationMs(),
          failure: told,
        });
      } catch (cause) {
        observer.storeFailed("end", cause);
        if (abandoned.signal.aborted) return;
        if (!isTransient(cause) && !isOutOfRoom(cause)) {
          // Left alone, its lease runs out, and it is judged anew.
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

/** What a result failed with that no store takes. */
const unstorable = new Error("the store does not take the result");
