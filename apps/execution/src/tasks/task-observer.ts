import type { ErrorKind } from "@crosszone/contracts";
import type { Task } from "./task.ts";

/** What the store may fail to do while a database is away. */
export const storeOperations = ["end", "renew", "take", "hand_back", "cancel"] as const;

/** What the runner tells of its tasks, for logs and metrics. A `cause` is never for the wire. */
export interface TaskObserver {
  /** An attempt above 1: the process that ran it before has died, or could not be reached. */
  started(task: Task, attempt: number): void;
  /** Once for each task that ends, by the process that ended it. */
  ended(task: Task, how: { durationMs: number; kind?: ErrorKind; cause?: unknown }): void;
  /** A task that ran here was canceled by another process, or taken over by one: its run counts no more. */
  letGo(task: Task, why: "canceled" | "taken_over"): void;
  /** The process stops: another one, or the next one, runs the task again. */
  handedBack(task: Task): void;
  /** The end of a task could not be stored before the process stopped; its lease runs out, and then it is run again. */
  lost(task: Task, cause: unknown): void;
  /** The store did not do what it was asked; it is asked again. */
  storeFailed(operation: (typeof storeOperations)[number], cause: unknown): void;
}
