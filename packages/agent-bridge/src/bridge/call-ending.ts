import {
  type AgentResult,
  type AgentTask,
  isAgentResult,
  isAgentTaskId,
  isContextId,
  problemsOf,
} from "@crosszone/contracts";
import { type CallEnding, type CallOutcome, callOutputContext, type CallEnds } from "@crosszone/agent-calls";
import type { LeaseId, End } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { ownMember } from "@crosszone/service-kit/json";
import { outageOf } from "@crosszone/sql";
import type { LeasedCall } from "./leased-call.ts";
import type { CallEnd } from "../calls/agent-caller.ts";
import { type AgentTaskIds, type BridgeEmit, failedFields } from "../events/agent-events.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";

/** The members that a result copies from its task. */
export type ResultIds = Pick<AgentTask, "run_id" | "task_id" | "correlation_id" | "context_id">;

type ResultEffort = Pick<AgentResult, "attempts" | "duration_ms" | "files_left_out">;

export function successResult(ids: ResultIds, output: unknown, effort: ResultEffort): AgentResult {
  const ended = { status: "SUCCESS", output_data: output ?? null, error_message: null } as const;
  return { ...idsOf(ids), ...ended, ...contextOf(ids, output), ...now(), ...effort };
}

export function failureResult(ids: ResultIds, failure: AgentFailure, effort: ResultEffort = {}): AgentResult {
  const error = failure.toJSON();
  const error_message = error.message;
  const ended = { status: "FAILURE", output_data: null, error_message, error } as const;
  return { ...idsOf(ids), ...ended, ...contextOf(ids, failure.data), ...openTaskOf(failure), ...now(), ...effort };
}

/** The agent's own context id, when it doesn't accept ours. */
function contextOf({ context_id: ours }: ResultIds, output: unknown): Pick<AgentResult, "context_id"> {
  const context_id = ownMember(output, "context_id");
  return ours !== undefined && context_id !== ours && isContextId(context_id) ? { context_id } : {};
}

/** The agent's task that waits for the user. */
function openTaskOf({ kind, data }: AgentFailure): Pick<AgentResult, "open_task_id"> {
  const open_task_id = ownMember(data, "task_id");
  const isOpen = kind === "input_required" || kind === "auth_required";
  return isOpen && isAgentTaskId(open_task_id) ? { open_task_id } : {};
}

export interface EndedWork {
  readonly outcome: CallOutcome;
  readonly result: AgentResult;
}

/** Returns the end of a call, for the store and for the task or run that waits. Throws a `TypeError` when the result is not valid. */
export function callEnding(leaseId: LeaseId, { outcome, result }: EndedWork, codec: RecordCodec): CallEnding {
  checkFailure(result);
  const own = {
    error_kind: result.error?.kind ?? null,
    agent_attempts: result.attempts ?? null,
  };
  const output = codec.toColumn(result, callOutputContext(leaseId.id));
  return { outcome, result, ending: { leaseId, end: { outcome, output, own } } };
}

/** Only a failure has members that an agent chose. */
function checkFailure(result: AgentResult): void {
  if (result.status === "SUCCESS") return;
  const problems = problemsOf(isAgentResult, result);
  if (problems.length === 0) return;
  const words = problems.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
  throw new TypeError(`The result is not an AgentResult: ${words}.`);
}

const idsOf = ({ run_id, task_id, correlation_id }: ResultIds): Omit<ResultIds, "context_id"> => ({
  run_id,
  task_id,
  correlation_id,
});

const now = (): Pick<AgentResult, "timestamp"> => ({ timestamp: new Date().toISOString() });

export interface CallEndDeps {
  readonly ends: CallEnds;
  readonly codec: RecordCodec;
  readonly emit: BridgeEmit;
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

/** The cause of a result that the store rejects. */
const unstorable = new Error("the store rejects the result");

/** Returns the end of a call. If the store rejects its result, a failure replaces it; if it rejects that too, the call runs again. */
export function endOfCall(deps: CallEndDeps, inRun: CallInRun, end: WorkEnd): End {
  const { ends, codec, emit, rerunAfterMs } = deps;
  const { call, ids, durationMs } = inRun;
  const { id, attempt, task, headers, parent } = call;
  const { output, failure, attempts, filesLeftOut } = end;
  const leaseId = { id, attempt };
  const effort = {
    duration_ms: durationMs(),
    attempts,
    ...(filesLeftOut !== undefined && { files_left_out: [...filesLeftOut] }),
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
      const state = why === undefined ? "succeeded" : "failed";
      // Every other failure has its own event. What went wrong in the zone itself would be lost.
      const cause = why?.kind === "internal" ? why.cause : undefined;
      emit("bridge_call_ended", { ...ids, state, duration_ms: durationMs(), kind: why?.kind, cause });
    },
    instead: (cause) => (outageOf(cause) ? undefined : instead()),
  });
  const again = (): End => ({ release: { counted: true, afterMs: rerunAfterMs } });
  return ended(failure, () => {
    const refused = new AgentFailure("internal", "The agent's result could not be stored.", { cause: unstorable });
    emit("agent_result_refused", { ...ids, attempt: attempts, duration_ms: durationMs(), ...failedFields(refused) });
    return ended(refused, again);
  });
}
