import { type CallIds, callProgressContext, callRemoteIdContext, type ExecutionColumn } from "@crosszone/agent-calls";
import type { AgentRecord } from "@crosszone/contracts";
import { type DropReason, type End, type JobContext, JobDropped } from "@crosszone/jobs";
import { ByteBudget, type HeldBytes } from "@crosszone/service-kit";
import { steadyNow, timerMs, unlessAborted } from "@crosszone/service-kit/timing";
import type { AgentCaller } from "../calls/open-call.ts";
import { reportStoreFailed } from "../protocol/agent-events.ts";
import { AgentFailure, asFailure } from "../protocol/protocol-adapter.ts";
import { isSameWay, wayOf } from "../registry/agent-settings.ts";
import {
  type CallEndDeps,
  type CallInRun,
  endOfCall,
  type LeasedCall,
  refusalOf,
  type RemoteTask,
  taskIdsOf,
  type WorkEnd,
} from "./leased-call.ts";
import { type AgentCallProgress, createProgressWriter } from "./read-calls.ts";

export interface CallRunDeps extends CallEndDeps {
  readonly caller: AgentCaller;
  /** Maximum number of runs of a call when processes crash. */
  readonly mostAttempts: number;
  /** Called after each event of an agent's stream with the artifacts so far, an array that later events change. Must not throw. */
  readonly onArtifacts?: (task: StreamedTask, artifacts: readonly unknown[]) => void;
  /** Called with the agent's progress before it is stored. Must not throw. */
  readonly onProgress?: (task: StreamedTask, progress: AgentCallProgress) => void;
}

/** The task whose artifacts are streamed. */
export type StreamedTask = CallIds;

/** The caller of the agent enforces the deadline. If it fails to, the call is aborted this much later, milliseconds. */
const lateMs = 2_000;

/**
 * What large answers take in this process until they are stored, bytes: of one agent, and of all. As many answers of the largest size as calls
 * can run would end the process.
 */
const answersInMemory = new ByteBudget({ all: 32_000_000, each: 12_000_000, waitMs: 2_147_483_647 });

interface RunOptions extends JobContext<ExecutionColumn> {
  readonly agent: AgentRecord | undefined;
}

export async function runCall(deps: CallRunDeps, call: LeasedCall, options: RunOptions): Promise<End> {
  const { task, headers, attempt, waitedMs } = call;
  const ids = taskIdsOf(task, headers);
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(waitedMs + performance.now() - startedAt);
  deps.emit("bridge_call_leased", { ...ids, take: attempt, waited_ms: Math.round(waitedMs) });
  const inRun: CallInRun = { call, ids, durationMs };
  const held = answersInMemory.open(task.agent_name);
  options.signal.addEventListener("abort", held.close, { once: true });
  return releasing(held, endOfCall(deps, inRun, await work(deps, inRun, { ...options, held })));
}

/** Returns an end that releases what its call holds, once it is stored or can't be. */
const releasing = (held: HeldBytes, end: End): End => ({
  ...end,
  stored: () => {
    held.close();
    end.stored?.();
  },
  instead: (cause) => {
    held.close();
    return end.instead?.(cause);
  },
});

/** Reports a call that is no longer this process's own. */
export function lostCall({ emit }: CallRunDeps, { task, headers }: LeasedCall, why: DropReason | "not_stored"): void {
  if (why !== "not_stored") emit("bridge_call_lease_lost", { ...taskIdsOf(task, headers), because: why });
}

async function work(
  deps: CallRunDeps,
  inRun: CallInRun,
  { agent, signal, note, held }: RunOptions & { readonly held: HeldBytes },
): Promise<WorkEnd> {
  const { call, ids, durationMs } = inRun;
  const { task, headers, remote, remainingMs } = call;
  const refusal = refusalOf(call, agent, deps.mostAttempts);
  if (refusal !== undefined || agent === undefined) {
    const fields = { ...ids, attempt: 0, duration_ms: durationMs() };
    if (refusal) deps.emit("bridge_call_refused", { ...fields, kind: refusal.kind, error: refusal });
    return { output: null, failure: refusal };
  }
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(reasonOf(signal));
  signal.addEventListener("abort", stop, { once: true });
  const late = (): void => stopping.abort(new AgentFailure("deadline_exceeded", "The task's deadline passed."));
  const timer = setTimeout(late, timerMs(remainingMs + lateMs));
  const called = remote === undefined ? agent : agentWith(agent, remote);
  let isOver = false;
  const options = {
    ...reportsOf(deps, call, { called, note, isOver: () => isOver || signal.aborted }),
    deadlineAt: steadyNow() + remainingMs,
    signal: stopping.signal,
    held,
    remoteId: remote?.id ?? (headers["follows"] === undefined ? undefined : task.open_task_id),
    traceparent: headers.traceparent,
    hops: /^\d{1,4}$/.test(headers.hops ?? "") ? Number(headers.hops) : undefined,
  };
  try {
    return await unlessAborted(deps.caller.call(task, called, options), stopping.signal);
  } catch (error) {
    return { output: null, failure: asFailure(error) };
  } finally {
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
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
  { codec, emit, ...deps }: CallRunDeps,
  { id, task }: LeasedCall,
  run: { readonly note: RunOptions["note"]; readonly called: AgentRecord; readonly isOver: () => boolean },
) {
  const { called, note, isOver } = run;
  const onProgress = createProgressWriter({
    write: async (progress) => {
      deps.onProgress?.(task, progress);
      await note({ progress: codec.toColumn(progress, callProgressContext(id)) });
    },
    isOver,
    onFailure: (cause) => reportStoreFailed(emit)("progress", cause),
  });
  const onRemoteId = async (remoteId: string): Promise<void> => {
    const remote: RemoteTask = { id: remoteId, ...wayOf(called) };
    const isLeased = await note({ handle: codec.toColumn(remote, callRemoteIdContext(id)) });
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
const reasonOf = ({ reason }: AbortSignal): AgentFailure | CallReleased =>
  reason instanceof JobDropped && reason.why === "canceled"
    ? new AgentFailure("canceled", "The task was canceled.")
    : new CallReleased("this process no longer works on the call");
