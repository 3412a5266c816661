import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import type { FinalState } from "./task-state.ts";
import type { Task, TaskOutcome, TaskSuccess } from "./task.ts";

/** How a task ends: its final state, what each asker is told, and what only the log is. */
export interface TaskEnd {
  readonly state: FinalState;
  readonly outcome: TaskOutcome;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

const finalStates: Partial<Record<ErrorKind, FinalState>> = { timeout: "timed_out", canceled: "canceled" };

export const successOf = (outcome: TaskSuccess): TaskEnd => ({ state: "success", outcome });

/** What something that was thrown means for a task. What is not expected is `internal`, and says nothing more. */
export function failureOf({ task_id, correlation_id }: Task, cause: unknown): TaskEnd {
  const { kind, data } = cause instanceof ZoneError ? cause : new ZoneError("internal");
  const outcome = { error: { kind, data: { ...data, correlation_id, task_id } } };
  return { state: finalStates[kind] ?? "error", outcome, kind, cause };
}
