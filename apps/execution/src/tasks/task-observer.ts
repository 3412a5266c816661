import type { ErrorKind } from "@crosszone/contracts";
import type { Task } from "./task.ts";

/** Store operations that can fail while the database is unreachable. */
export const storeOperations = ["end", "renew", "take", "hand_back", "cancel"] as const;

/** Receives events of tasks, for logs and metrics. A `cause` must never be sent to callers. */
export interface TaskObserver {
  /** `attempt` is above 1 when the task's previous process crashed or was unreachable. */
  started(task: Task, attempt: number): void;
  /** Called once per ended task, by the process that ended it. */
  ended(task: Task, how: { durationMs: number; kind?: ErrorKind; cause?: unknown }): void;
  /** Another process canceled or took over a task that ran here. Its result is discarded. */
  leaseLost(task: Task, why: "canceled" | "taken_over"): void;
  /** The process stops. Another process, or the next one, runs the task again. */
  released(task: Task): void;
  /** The task's end couldn't be stored before the process stopped. When its lease expires, the task runs again. */
  endLost(task: Task, cause: unknown): void;
  /** A store operation failed and is retried. */
  storeFailed(operation: (typeof storeOperations)[number], cause: unknown): void;
}
