import type { AgentResult, AgentTask } from "@crosszone/contracts";
import type { AgentFailure } from "../agent-failure.ts";

/** What a result has of the task that it belongs to. */
export type ResultIds = Pick<AgentTask, "run_id" | "task_id" | "correlation_id">;

/** What is known of the way to a result. */
export type ResultEffort = Pick<AgentResult, "attempts" | "duration_ms">;

export function successResult(ids: ResultIds, output: unknown, effort: ResultEffort): AgentResult {
  return { ...idsOf(ids), status: "SUCCESS", output_data: output ?? null, error_message: null, ...now(), ...effort };
}

export function failureResult(ids: ResultIds, failure: AgentFailure, effort: ResultEffort = {}): AgentResult {
  const error = failure.toJSON();
  const error_message = error.message;
  return { ...idsOf(ids), status: "FAILURE", output_data: null, error_message, error, ...now(), ...effort };
}

const idsOf = ({ run_id, task_id, correlation_id }: ResultIds): ResultIds => ({ run_id, task_id, correlation_id });

const now = (): Pick<AgentResult, "timestamp"> => ({ timestamp: new Date().toISOString() });
