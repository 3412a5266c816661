import { isAgentTaskId, isContextId, type AgentResult, type AgentTask } from "@crosszone/contracts";
import { ownMember } from "../adapters/own-member.ts";
import type { AgentFailure } from "../agent-failure.ts";

/** The members that a result copies from its task. */
export type ResultIds = Pick<AgentTask, "run_id" | "task_id" | "correlation_id" | "context_id">;

/** The effort for a result. */
export type ResultEffort = Pick<AgentResult, "attempts" | "duration_ms" | "files_left_out">;

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

const idsOf = ({ run_id, task_id, correlation_id }: ResultIds): Omit<ResultIds, "context_id"> => ({
  run_id,
  task_id,
  correlation_id,
});

const now = (): Pick<AgentResult, "timestamp"> => ({ timestamp: new Date().toISOString() });
