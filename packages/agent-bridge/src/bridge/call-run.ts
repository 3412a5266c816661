import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { callProgressContext, callRemoteIdContext } from "@crosszone/jobs";
import type { DropReason, ExecutionColumn, JobRun, JobStore } from "@crosszone/jobs";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { failedFields, reportStoreFailed } from "../events/agent-events.ts";
import { AgentFailure, asFailure } from "../protocol/agent-failure.ts";
import { createProgressWriter, type AgentCallProgress } from "./read-calls.ts";
import { refusalOf, taskIdsOf, type LeasedCall, type RemoteTask } from "./leased-call.ts";
import { isSameWay, wayOf } from "../registry/agent-settings.ts";
import { storeCallEnd, type CallInRun, type StoreCallEndDeps, type WorkEnd } from "./call-ending.ts";

export interface CallRunDeps extends StoreCallEndDeps {
  readonly store: Pick<JobStore<ExecutionColumn>, "set" | "lost" | "release">;
  readonly caller: AgentCaller;
  /** Maximum number of runs of a call when processes crash. */
  readonly mostAttempts: number;
  /** Called after each event of an agent's stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: (task: StreamedTask, artifacts: readonly unknown[]) => void;
  /** Called with the agent's progress before it is stored. Must not throw. */
  readonly onProgress?: (task: StreamedTask, progress: AgentCallProgress) => void;
}

/** The task whose artifacts are streamed. */
export type StreamedTask = Pick<AgentTask, "run_id" | "task_id">;

/** The caller of the agent enforces the deadline. If it fails to, the call is aborted this much later, milliseconds. */
const lateMs = 2_000;

/** Runs a call that this process has leased, and stores its end as soon as the store accepts it, unless it is lost before. */
export function startCallRun(deps: CallRunDeps, call: LeasedCall, agent: AgentRecord | undefined): JobRun {
  const { emit } = deps;
  const { id, attempt, task, headers, waitedMs } = call;
  const ids = taskIdsOf(task, headers);
  const startedAt = performance.now();
  const [abandoned, stop] = [new AbortController(), createStop()];
  const durationMs = (): number => Math.round(waitedMs + performance.now() - startedAt);
  const inRun: CallInRun = { call, ids, durationMs, abandoned: abandoned.signal };
  let isDropped = false;

  async function run(): Promise<void> {
    emit("bridge_call_leased", { ...ids, take: attempt, waited_ms: Math.round(waitedMs) });
    const working = work(deps, inRun, { agent, stop, isOver: () => own.isEnding || isDropped });
    own.worked = working.then(nothing, nothing);
    const end = await working;
    if (isDropped) return;
    own.isEnding = true;
    await storeCallEnd(deps, inRun, end);
  }

  // Members that change are no getters: V8 would keep the closures of each in its old space.
  const own = {
    id,
    attempt,
    drop: (reason: DropReason): void => {
      isDropped = true;
      stop.with(dropFailures[reason]());
      emit("bridge_call_lease_lost", { ...ids, because: reason });
    },
    isEnding: false,
    abandon: (): void => abandoned.abort(),
    worked: Promise.resolve(),
    ended: Promise.resolve(),
  };
  own.ended = run().catch((cause: unknown) => reportStoreFailed(emit)("end", cause));
  return own;
}

/** Ends the work on a call before the agent has ended it. */
interface Stop {
  /** Aborted with the reason. */
  readonly signal: AbortSignal;
  /** Rejects with the reason. */
  readonly stopped: Promise<never>;
  readonly with: (reason: AgentFailure | CallReleased) => void;
}

function createStop(): Stop {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After its end the call can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  return {
    signal: controller.signal,
    stopped,
    with: (reason) => {
      reject(reason);
      controller.abort(reason);
    },
  };
}

interface Work {
  readonly agent: AgentRecord | undefined;
  readonly stop: Stop;
  /** Whether the end is being stored or the call was dropped, so that no progress is written. */
  readonly isOver: () => boolean;
}

async function work(deps: CallRunDeps, inRun: CallInRun, { agent, stop, isOver }: Work): Promise<WorkEnd> {
  const { call, ids, durationMs } = inRun;
  const { task, headers, remote, remainingMs } = call;
  const refusal = refusalOf(call, agent, deps.mostAttempts);
  if (refusal !== undefined || agent === undefined) {
    const fields = { ...ids, attempt: 0, duration_ms: durationMs() };
    if (refusal) deps.emit("bridge_call_refused", { ...fields, ...failedFields(refusal) });
    return { output: null, failure: refusal };
  }
  const late = (): void => stop.with(new AgentFailure("deadline_exceeded", "The task's deadline passed."));
  const timer = setTimeout(late, remainingMs + lateMs);
  const called = remote === undefined ? agent : agentWith(agent, remote);
  const options = {
    ...reportsOf(deps, call, { called, isOver }),
    deadlineAt: Date.now() + remainingMs,
    signal: stop.signal,
    remoteId: remote?.id,
    traceparent: headers.traceparent,
  };
  try {
    return await Promise.race([deps.caller.call(task, called, options), stop.stopped]);
  } catch (error) {
    return { output: null, failure: asFailure(error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the agent as it was when it accepted the task. If its protocol or URL changed since, it has another name and id, so that its
 * failures open another circuit.
 */
function agentWith(agent: AgentRecord, remote: RemoteTask): AgentRecord {
  if (isSameWay(agent, remote)) return agent;
  return { ...agent, ...wayOf(remote), id: `${agent.id} former ${remote.url}`, name: `${agent.name} (former)` };
}

/** Returns what the caller reports of a call while it runs: its id at the agent is stored, and its progress. */
function reportsOf(
  { store, codec, emit, ...deps }: CallRunDeps,
  call: LeasedCall,
  { called, isOver }: { readonly called: AgentRecord; readonly isOver: () => boolean },
) {
  const { id, attempt, task } = call;
  const leaseId = { id, attempt };
  const onProgress = createProgressWriter({
    write: async (progress) => {
      deps.onProgress?.(task, progress);
      await store.set(leaseId, { progress: codec.toColumn(progress, callProgressContext(id)) });
    },
    isOver,
    onFailure: (cause) => reportStoreFailed(emit)("progress", cause),
  });
  const onRemoteId = async (remoteId: string): Promise<void> => {
    const remote: RemoteTask = { id: remoteId, ...wayOf(called) };
    const isLeased = await store.set(leaseId, { handle: codec.toColumn(remote, callRemoteIdContext(id)) });
    if (!isLeased) throw new CallReleased("this process has lost the call's lease");
  };
  const onArtifacts = (artifacts: readonly unknown[]): void => deps.onArtifacts?.(task, artifacts);
  return { onRemoteId, onProgress, onArtifacts };
}

/** The reason for ending a call whose task continues in another process. */
export class CallReleased extends Error {
  override readonly name = "CallReleased";
}

/** Only a canceled task is also canceled at its agent: another process continues the others. */
const dropFailures: Readonly<Record<DropReason, () => AgentFailure | CallReleased>> = {
  canceled: () => new AgentFailure("canceled", "The task was canceled."),
  taken_over: () => new CallReleased("another process has taken the call over"),
  stopping: () => new CallReleased("this process is stopping"),
};

const nothing = (): void => undefined;
