import { momentOf } from "@crosszone/admin-api";
import {
  agentCallJob,
  agentCallKind,
  callEnd,
  type CallEnding,
  type CallEnds,
  callFilesContext,
  type CallHeaders,
  callId,
  callInputContext,
  type CallIntake,
  type CallOutcome,
  callRecordOf,
  callRemoteIdContext,
  type ExecutionColumn,
  ownerColumn,
  shareOfAgent,
  type TaskNames,
} from "@crosszone/agent-calls";
import {
  type AgentErrorKind,
  type AgentRecord,
  type AgentResult,
  type AgentTask,
  isAgentResult,
  isAgentTaskId,
  isContextId,
  problemsOf,
} from "@crosszone/contracts";
import type { End, LeasedJob, LeaseId, ProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, opened, openedHere, type RecordCodec, type Vault } from "@crosszone/service-kit";
import { ownMember } from "@crosszone/service-kit/json";
import { asksBack } from "@crosszone/service-kit/text";
import { outageOf } from "@crosszone/sql";
import type { CallEnd } from "../calls/open-call.ts";
import { type AgentTaskIds, type BridgeEmit } from "../protocol/agent-events.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import type { CountedCall } from "../registry/agent-counts.ts";
import type { AgentWay } from "../registry/agent-settings.ts";

/** A task that an agent has accepted: its id there, and where it is polled and canceled even if the agent is moved meanwhile. */
export interface RemoteTask extends AgentWay {
  readonly id: string;
}

export interface LeasedCall extends LeaseId {
  /** Its `input_data` is null when it can't be read; see `isReadable`. */
  readonly task: AgentTask;
  /** False when it was modified, so that no agent can be called. */
  readonly isReadable: boolean;
  readonly headers: CallHeaders;
  /** What waits for its result: a task's or a run's id. */
  readonly parent: string | undefined;
  /** The task at the agent, when it has accepted it. */
  readonly remote: RemoteTask | undefined;
  /** Time until its deadline, milliseconds; negative after it. */
  readonly remainingMs: number;
  /** Time since it was stored, milliseconds. */
  readonly waitedMs: number;
}

/** Throws if a key is missing (`isKeyMissing`), until the call's deadline. */
export function leasedCallOf(job: LeasedJob<ExecutionColumn>, codec: RecordCodec): LeasedCall {
  const { id, attempt, parent } = job;
  const { task, headers } = callRecordOf(job);
  const openNow = (job.remaining_ms ?? 0) > 0 ? openedHere : opened;
  const read = (text: unknown, context: string): unknown =>
    typeof text === "string" ? openNow(() => codec.fromColumn(text, context)) : undefined;
  const input = read(job.input, callInputContext(id));
  const remote = read(job.handle, callRemoteIdContext(id)) as RemoteTask | undefined;
  const files = read(job.files, callFilesContext(id)) as AgentTask["files"];
  return {
    id,
    attempt,
    task: { ...task, input_data: input ?? null, files },
    isReadable: input !== undefined && (job.files === null || files !== undefined),
    headers,
    parent: parent ?? undefined,
    remote,
    remainingMs: job.remaining_ms ?? 0,
    waitedMs: job.waited_ms,
  };
}

/** Returns why a call must not start; undefined when it can. */
export function refusalOf(
  { task, isReadable, attempt, remainingMs }: LeasedCall,
  agent: AgentRecord | undefined,
  mostAttempts: number,
): AgentFailure | undefined {
  const name = JSON.stringify(task.agent_name);
  if (agent === undefined) return new AgentFailure("unknown_agent", `No agent has the name ${name}.`);
  if (!agent.enabled) return new AgentFailure("agent_disabled", `The agent ${name} is disabled.`);
  if (remainingMs <= 0) return new AgentFailure("deadline_exceeded", "The task's deadline passed before it started.");
  if (!isReadable) return new AgentFailure("internal", "The task's input was modified and can't be decrypted.");
  if (attempt > mostAttempts)
    return new AgentFailure(
      "internal",
      `The task was started ${mostAttempts} times, and each time its process crashed.`,
      { data: { processes_ended: mostAttempts } },
    );
  return undefined;
}

export function taskIdsOf(task: TaskNames, headers: CallHeaders): AgentTaskIds {
  const { run_id, task_id, agent_name, correlation_id } = task;
  return { run_id, task_id, agent_name, correlation_id, traceparent: headers.traceparent };
}

/** The longest deadline: seven days. Timers support at most 24. */
const mostMs = 7 * 24 * 3_600_000;

/** Returns the time left for a task, milliseconds; `otherwiseMs` when it has no deadline. */
export function deadlineMsOf({ deadline }: { readonly deadline?: string }, otherwiseMs: number): number {
  if (deadline === undefined) return otherwiseMs;
  return Math.min(Math.max(0, momentOf(deadline) - Date.now()), mostMs);
}

/** The members that a result copies from its task. */
export type ResultIds = Pick<AgentTask, "run_id" | "task_id" | "correlation_id" | "context_id">;

type ResultEffort = Pick<AgentResult, "attempts" | "duration_ms" | "files_left_out">;

export function successResult(ids: ResultIds, output: unknown, effort: ResultEffort): AgentResult {
  const { run_id, task_id, correlation_id } = ids;
  const ended = { status: "SUCCESS", output_data: output ?? null, error_message: null } as const;
  const context_id = ownContextId(ids, output);
  return { run_id, task_id, correlation_id, ...ended, context_id, timestamp: new Date().toISOString(), ...effort };
}

export function failureResult(ids: ResultIds, failure: AgentFailure, effort: ResultEffort = {}): AgentResult {
  const { run_id, task_id, correlation_id } = ids;
  const error = failure.toJSON();
  const ended = { status: "FAILURE", output_data: null, error_message: error.message, error } as const;
  const open = { context_id: ownContextId(ids, failure.data), open_task_id: openTaskOf(failure) };
  return { run_id, task_id, correlation_id, ...ended, ...open, timestamp: new Date().toISOString(), ...effort };
}

/** The agent's own context id, when it doesn't accept ours. */
function ownContextId({ context_id: ours }: ResultIds, output: unknown): string | undefined {
  const id = ownMember(output, "context_id");
  return ours !== undefined && id !== ours && isContextId(id) ? id : undefined;
}

/** The agent's task that waits for the user. */
function openTaskOf({ kind, data }: AgentFailure): string | undefined {
  const id = ownMember(data, "task_id");
  return asksBack(kind) && isAgentTaskId(id) ? id : undefined;
}

interface EndedWork {
  readonly outcome: CallOutcome;
  readonly result: AgentResult;
}

/** Returns the end of a call, for the store and for the task or run that waits. Throws a `TypeError` when the result is not valid. */
export function callEnding(leaseId: LeaseId, { outcome, result }: EndedWork, codec: RecordCodec): CallEnding {
  // Only a failure has members that an agent chose.
  const problems = result.status === "SUCCESS" ? [] : problemsOf(isAgentResult, result);
  const words = problems.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
  if (words !== "") throw new TypeError(`The result is not an AgentResult: ${words}.`);
  return { outcome, result, ending: { leaseId, end: callEnd({ id: leaseId.id, outcome, result }, codec) } };
}

export interface CallEndDeps {
  readonly ends: CallEnds;
  readonly codec: RecordCodec;
  readonly emit: BridgeEmit;
  /** Counts a call of a registered agent whose end is stored. */
  readonly count?: (call: CountedCall) => void;
  /** Pause before a call whose end the store rejects runs once more, milliseconds. */
  readonly rerunAfterMs: number;
}

export interface CallInRun {
  readonly call: LeasedCall;
  readonly ids: AgentTaskIds;
  /** Since the call was stored, milliseconds. */
  readonly durationMs: () => number;
}

/** The end of the work on a call, at the agent or before. */
export type WorkEnd = Pick<CallEnd, "output" | "failure" | "filesLeftOut"> & { readonly attempts?: number };

/** Who waits for the result of a call, by its header `reply-to`. */
const makers: Readonly<Record<string, CountedCall["made_by"] | undefined>> = { execution: "task", workflow: "run" };

/** The cause of a result that the store rejects. */
const unstorable = new Error("the store rejects the result");

/** Returns the end of a call. If the store rejects its result, a failure replaces it; if it rejects that too, the call runs again. */
export function endOfCall(deps: CallEndDeps, inRun: CallInRun, end: WorkEnd): End {
  const { ends, codec, emit, count, rerunAfterMs } = deps;
  const { call, ids, durationMs } = inRun;
  const { id, attempt, task, headers, parent } = call;
  const { output, failure, attempts, filesLeftOut } = end;
  const leaseId = { id, attempt };
  const counted = (kind: AgentErrorKind | undefined): CountedCall => {
    const { run_id, task_id, agent_name: agent, correlation_id } = task;
    const made = { made_by: makers[headers["reply-to"] ?? ""] ?? "program", team: ownerColumn(headers) };
    return { run_id, task_id, agent, correlation_id, ...made, kind, attempts: attempts ?? 0 };
  };
  const effort = {
    duration_ms: durationMs(),
    attempts,
    files_left_out: filesLeftOut && [...filesLeftOut],
  };
  const ended = (why: AgentFailure | undefined, instead: () => End): End => ({
    outcome: why === undefined ? "succeeded" : "failed",
    store: async () => {
      const work: EndedWork =
        why === undefined
          ? { outcome: "succeeded", result: successResult(task, output, effort) }
          : { outcome: "failed", result: failureResult(task, why, effort) };
      return ends.end({ leaseId, task, headers, parent }, callEnding(leaseId, work, codec));
    },
    stored: () => {
      const state = why === undefined ? "succeeded" : asksBack(why.kind) ? "asked" : "failed";
      // Every other failure has its own event. What went wrong in the zone itself would be lost.
      const cause = why?.kind === "internal" ? why.cause : undefined;
      emit("bridge_call_ended", { ...ids, state, duration_ms: durationMs(), kind: why?.kind, cause });
      // One that follows a task looks at the same question again and again.
      const isLook = headers["follows"] !== undefined && asksBack(why?.kind);
      if (why?.kind !== "unknown_agent" && !isLook) count?.(counted(why?.kind));
    },
    instead: (cause) => (outageOf(cause) ? undefined : instead()),
  });
  const again = (): End => ({ release: { counted: true, afterMs: rerunAfterMs } });
  return ended(failure, () => {
    const refused = new AgentFailure("internal", "The agent's result could not be stored.", { cause: unstorable });
    const fields = { ...ids, attempt: attempts, duration_ms: durationMs() };
    emit("agent_result_refused", { ...fields, kind: refused.kind, error: refused });
    return ended(refused, again);
  });
}

/** Creates the intake of a process. A call begins here at once if this process has a bridge, and its agent has room. */
export function createCallIntake({
  jobs,
  vault,
  emit,
}: {
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Seals inputs and results of agents. */
  readonly vault?: Vault;
  /** Reports calls; only a process with a bridge does. */
  readonly emit?: BridgeEmit;
}): CallIntake {
  const codec = createRecordCodec(vault);
  return {
    enter: async (call) => {
      const { task, headers, parent, deadlineMs: remainingMs } = call;
      const fresh = { attempt: 1, isReadable: true, remote: undefined, remainingMs, waitedMs: 0 };
      const leased: LeasedCall = { id: callId(task), ...fresh, task, headers, parent };
      const { as, settle } = await jobs.enter(agentCallKind, shareOfAgent(task.agent_name), () => leased);
      return {
        job: agentCallJob(call, as, codec),
        settle: (isStored) => {
          if (isStored) emit?.("bridge_call_stored", { ...taskIdsOf(task, headers), is_new: true });
          settle(isStored);
        },
      };
    },

    cancel: async (call, reason) => {
      const leaseId = { id: callId(call), attempt: 0 };
      const failure = new AgentFailure("canceled", `The task was canceled. ${reason}`.trimEnd());
      const { ending } = callEnding(leaseId, { outcome: "canceled", result: failureResult(call, failure) }, codec);
      const ended = await jobs.store.endOpen(leaseId.id, ending.end);
      // The change that made it superfluous may have ended it already.
      jobs.cancel(agentCallKind, leaseId.id);
      if (ended === undefined) return;
      const { task, headers } = callRecordOf(ended);
      const end = { state: "canceled", duration_ms: ended.waited_ms, kind: "canceled" };
      emit?.("bridge_call_ended", { ...taskIdsOf(task, headers), ...end });
    },
  };
}
