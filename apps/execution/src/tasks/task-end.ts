import { type ErrorKind, ZoneError } from "@crosszone/contracts";
import type { FinalState, Task, TaskOutcome, TaskSuccess } from "./task.ts";

/** How a task ends: its final state, the outcome for callers, and details for the log only. */
export interface TaskEnd {
  readonly state: FinalState;
  readonly outcome: TaskOutcome;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

const finalStates: Partial<Record<ErrorKind, FinalState>> = { timeout: "timed_out", canceled: "canceled" };

export const successOf = (outcome: TaskSuccess): TaskEnd => ({ state: "success", outcome });

/** Returns how a task ends after an error. An unexpected error becomes `internal` without details. */
export function failureOf({ task_id, correlation_id }: Task, cause: unknown): TaskEnd {
  const { kind, data } = cause instanceof ZoneError ? cause : new ZoneError("internal");
  const outcome = { error: { kind, data: { ...data, correlation_id, task_id } } };
  return { state: finalStates[kind] ?? "error", outcome, kind, cause };
}
