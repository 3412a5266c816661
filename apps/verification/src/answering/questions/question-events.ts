import { type Emit, emitWith } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { RetryOptions } from "@crosszone/service-kit/timing";
import type { RecordHead } from "../../inbox/records.ts";
import type { RunningTask } from "../tasks/running-tasks.ts";
import type { TaskOutcome } from "./task-outcome.ts";

/** What reports the events of one attempt at a question, or at the result of one whose run an operator has retried. */
export interface QuestionEvents {
  /** Reports events with the ids of the question. */
  readonly emit: Emit<VerificationEvent>;
  /** When the attempt started, from `performance.now()`. */
  readonly startedAt: number;
}

/** Starts an attempt at a question, whose events have its ids. */
export function reporting(
  emit: Emit<VerificationEvent>,
  { correlation_id, request_id, traceparent }: RecordHead,
): QuestionEvents {
  return { emit: emitWith(emit, { correlation_id, request_id, traceparent }), startedAt: performance.now() };
}

type TaskEvents = Pick<QuestionEvents, "emit"> & { readonly task: Pick<RunningTask, "taskId"> };

/** Returns a function that reports that a call to execution failed and is retried. */
export function taskRetried({ task, emit }: TaskEvents): NonNullable<RetryOptions["onRetry"]> {
  return (error, { attempt, waitMs }) =>
    emit("task_retried", { task_id: task.taskId, error, attempt, wait_ms: waitMs });
}

/** Reports that the question has ended. Its answer is not posted yet. */
export function reportEnd({ task, emit, startedAt }: TaskEvents & QuestionEvents, outcome: TaskOutcome): void {
  const fields = { task_id: task.taskId, duration_ms: performance.now() - startedAt };
  if (outcome.state === "failed")
    emit("task_failed", { ...fields, operation: "answer_question", failure: outcome.error });
  else emit(outcome.state === "done" ? "task_done" : "task_stopped", fields);
}
