import { AssistantError } from "@crosszone/assistant";
import { errorTable, ZoneError, type ErrorKind } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
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
  const { kind, data, cause: inner } = cause instanceof ZoneError ? cause : new ZoneError("internal");
  const detail = inner instanceof AssistantError ? inner.detail : undefined;
  const error = { kind, data: { ...data, correlation_id, task_id }, detail };
  const outcome = { error };
  return { state: finalStates[kind] ?? "error", outcome, kind, cause };
}

/** Returns a task's ids for events. */
export const taskIds = ({ task_id, correlation_id, agent, traceparent }: Task) => ({
  task_id,
  correlation_id,
  agent,
  traceparent,
});

/** Reports the end of a task, once, by the process that ended it. An error is logged nowhere else. */
export function reportEnd(
  emit: Emit<ExecutionEvent>,
  task: Task,
  how: Pick<TaskEnd, "kind" | "cause"> & { readonly durationMs: number },
): void {
  const { durationMs: duration_ms, kind, cause } = how;
  const fields = { ...taskIds(task), state: task.state, duration_ms, kind };
  if (kind === undefined || kind === "canceled") return emit("task_ended", fields);
  emit("task_failed", { ...fields, operation: "run_task", code: errorTable[kind].code, cause });
}
