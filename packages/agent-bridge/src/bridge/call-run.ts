import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { settle, type CallEnding, type CallEnds, type ExecutionColumn } from "@crosszone/jobs";
import { callProgressContext, callRemoteIdContext, type JobRun, type JobStore, type LetGo } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { isOutOfRoom, isTransient } from "@crosszone/sql";
import { agentOnWay } from "../canary/chosen-way.ts";
import type { CanaryWatch } from "../canary/watch-canaries.ts";
import { AgentFailure } from "../agent-failure.ts";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { AgentCaller, CallEnd } from "../calls/agent-caller.ts";
import { asFailure } from "../calls/as-failure.ts";
import type { AgentCallProgress } from "../calls/read-progress.ts";
import type { TakenCall } from "../calls/taken-call.ts";
import { failureResult, successResult } from "./agent-results.ts";
import { callEnding } from "./call-ending.ts";
import { CallReleased } from "./call-released.ts";
import { createProgressWriter } from "./progress-writer.ts";
import { refusalOf } from "./refusal-of.ts";
import { taskIdsOf } from "./task-ids.ts";

export interface CallRunDeps {
  readonly store: Pick<JobStore<ExecutionColumn>, "set" | "lost" | "release">;
  readonly ends: CallEnds;
  readonly codec: RecordCodec;
  readonly caller: AgentCaller;
  readonly observer: BridgeObserver;
  /** The most runs of a call when processes crash. */
  readonly mostAttempts: number;
  /** Pause before a call whose end the store rejects runs again, milliseconds. */
  readonly againAfterMs: number;
  /** Called when the end of a call that began during a canary is durable. Must not throw. */
  readonly onTrialEnded?: CanaryWatch["ended"] | undefined;
  /** Called after each event of an agent's stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: ((task: StreamedTask, artifacts: readonly unknown[]) => void) | undefined;
  /** Called with the agent's progress before it is stored. Must not throw. */
  readonly onProgress?: ((task: StreamedTask, progress: AgentCallProgress) => void) | undefined;
}

/** The task whose artifacts are streamed. */
export type StreamedTask = Pick<AgentTask, "run_id" | "task_id">;

type End = Pick<CallEnd, "output" | "failure" | "filesLeftOut"> & { readonly attempts?: number };

/** The caller of the agent enforces the deadline. If it fails to, the call is aborted this much later, milliseconds. */
const lateMs = 2_000;

/** Runs a call that this process holds, and stores its end as soon as the store accepts it, unless it is lost before. */
export function startCallRun(deps: CallRunDeps, call: TakenCall, agent: AgentRecord | undefined): JobRun {
  const { store, ends, codec, caller, observer, mostAttempts } = deps;
  const { id, attempt, task, headers, parent, remoteId, way, remainingMs, waitedMs } = call;
  const held = { id, attempt };
  const ids = taskIdsOf(task, headers);
  const startedAt = performance.now();
  const [controller, abandoned] = [new AbortController(), new AbortController()];
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After its end the call can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  let isDropped = false;

  const onProgress = createProgressWriter({
    write: async (progress) => {
      deps.onProgress?.(task, progress);
      await store.set(held, { progress: codec.toColumn(progress, callProgressContext(id)) });
    },
    isOver: () => own.isEnding || isDropped,
    onFailure: (cause) => observer.storeFailed("progress", cause),
  });
  const stop = (reason: AgentFailure | CallReleased): void => {
    reject(reason);
    controller.abort(reason);
  };
  const durationMs = (): number => Math.round(waitedMs + performance.now() - startedAt);

  async function run(): Promise<void> {
    observer.taskTaken(ids, { take: attempt, waitedMs });
    const working = work();
    own.worked = working.then(nothing, nothing);
    const end = await working;
    if (isDropped) return;
    own.isEnding = true;
    await storeEnd(end);
  }

  async function work(): Promise<End> {
    const refusal = refusalOf(call, agent, mostAttempts);
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
    const options = { deadlineAt: Date.now() + remainingMs, signal, remoteId, traceparent, ...told };
    try {
      const called = way === undefined ? agent : agentOnWay(agent, way);
      return await Promise.race([caller.call(task, called, options), stopped]);
    } catch (error) {
      return { output: null, failure: asFailure(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async function onRemoteId(name: string): Promise<void> {
    const isHeld = await store.set(held, { handle: codec.toColumn(name, callRemoteIdContext(id)) });
    if (!isHeld) throw new CallReleased("this process no longer holds the call");
  }

  async function storeEnd({ output, failure, attempts, filesLeftOut }: End): Promise<void> {
    const effort = {
      duration_ms: durationMs(),
      ...(attempts !== undefined && { attempts }),
      ...(filesLeftOut !== undefined && { files_left_out: [...filesLeftOut] }),
    };
    const tookMs = Math.round(performance.now() - startedAt);
    let why = failure;
    const ending = (): CallEnding =>
      why === undefined
        ? callEnding(held, { outcome: "succeeded", result: successResult(task, output, effort), tookMs }, codec)
        : callEnding(held, { outcome: "failed", result: failureResult(task, why, effort), tookMs }, codec);

    /** Replaces a result that the store rejects by a failure; returns true when it rejects that, too. */
    const onFailure = (cause: unknown): boolean => {
      observer.storeFailed("end", cause);
      if (isTransient(cause) || isOutOfRoom(cause)) return false;
      if (why?.cause === unstorable) return true;
      why = new AgentFailure("internal", "The agent's result could not be stored.", { cause: unstorable });
      observer.resultRefused(ids, { attempts, durationMs: durationMs(), failure: why });
      return false;
    };
    const isHeld = await settle({
      store: async () => ends.end({ held, task, headers, parent }, ending()),
      onFailure,
      signal: abandoned.signal,
    });
    if (isHeld === false) return lose();
    if (isHeld === undefined) return giveUp();
    const state = why === undefined ? "succeeded" : "failed";
    observer.taskEnded(ids, { state, durationMs: durationMs(), failure: why });
    if (way?.trial) deps.onTrialEnded?.(task.agent_name, way.trial, { state, kind: why?.kind ?? null });
  }

  async function lose(): Promise<void> {
    const [lost] = await store.lost([held]);
    observer.taskLetGo(ids, lost?.outcome === "canceled" ? "canceled" : "taken_over");
  }

  /** Lets the call be judged again. The lease of a stopping process ends by itself. */
  async function giveUp(): Promise<void> {
    if (!abandoned.signal.aborted) await store.release([held], { counted: true, afterMs: deps.againAfterMs });
  }

  // Members that change are no getters: V8 would keep the closures of each in its old space.
  const own = {
    ...held,
    drop: (cause: LetGo): void => {
      isDropped = true;
      stop(reasonOf[cause]());
      observer.taskLetGo(ids, cause);
    },
    isEnding: false,
    abandon: (): void => abandoned.abort(),
    worked: Promise.resolve(),
    ended: Promise.resolve(),
  };
  own.ended = run().catch((cause: unknown) => observer.storeFailed("end", cause));
  return own;
}

/** Only a canceled task is also canceled at its agent: another process continues the others. */
const reasonOf: Readonly<Record<LetGo, () => AgentFailure | CallReleased>> = {
  canceled: () => new AgentFailure("canceled", "The task was canceled."),
  taken_over: () => new CallReleased("another process has taken the call over"),
  stopping: () => new CallReleased("this process is stopping"),
};

const nothing = (): void => undefined;

/** The cause of a result that the store rejects. */
const unstorable = new Error("the store rejects the result");
