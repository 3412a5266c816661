import type { FinalState } from "./task-state.ts";
import type { HeldTask, NewTask, TakenTask, Task, TaskOutcome } from "./task.ts";

/** Thrown when a task has ended or now belongs to another process. This process must discard its result. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  /** The current task; undefined when deleted. */
  readonly task: Task | undefined;

  constructor(task: Task | undefined) {
    super("this process no longer holds the task's lease");
    this.task = task;
  }
}

/**
 * Stores tasks, for one process of the zone; other processes may share the storage. A running task is leased to its
 * process. Only the holder of the lease may end the task, and other processes may take an expired lease. Every method
 * is idempotent: repeating a call whose answer was lost returns that answer. While the store is unreachable, methods
 * reject with a retryable `ZoneError`.
 */
export interface TaskStore {
  /** How long a lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;

  /**
   * Stores a new task, working and leased to this process, or returns the existing task of the same caller and key;
   * `created` tells which. A key never creates two tasks. Durable when it resolves.
   */
  create(task: NewTask): Promise<{ readonly task: Task; readonly created: boolean }>;

  /** Returns the caller's task with this key. */
  findByKey(caller: string, key: string): Promise<Task | undefined>;

  /** Returns the task; undefined when unknown or deleted. */
  get(taskId: string): Promise<Task | undefined>;

  /** Returns the handle for the files of an open task; undefined when it was not stored. */
  handleOf(taskId: string): Promise<string | undefined>;

  /** Returns those of the tasks that have ended. */
  finished(taskIds: readonly string[]): Promise<readonly Task[]>;

  /**
   * Ends a task that this process has leased; durable when it resolves. Rejects with `LeaseLostError` when it no longer
   * holds the lease.
   */
  end(held: HeldTask, state: FinalState, outcome: TaskOutcome): Promise<Task>;

  /**
   * Cancels a task in whichever process it runs. `canceledAfterMs` is its age at that time; undefined when it was
   * canceled before. Rejects with `invalid_state_transition` when it ended otherwise, `task_not_found` when it is
   * deleted.
   */
  cancel(taskId: string, outcome: TaskOutcome): Promise<{ readonly task: Task; readonly canceledAfterMs?: number }>;

  /** Renews this process's leases. Returns those that it has lost. */
  renew(held: readonly HeldTask[]): Promise<readonly HeldTask[]>;

  /** Returns the leases that this process has lost; renews nothing. */
  lost(held: readonly HeldTask[]): Promise<readonly HeldTask[]>;

  /** Releases tasks as if they had not been taken: the attempt doesn't count. */
  handBack(held: readonly HeldTask[]): Promise<void>;

  /** Leases tasks with expired leases to this process, `most` at most, except those it is running. */
  take(most: number, running: readonly string[]): Promise<readonly TakenTask[]>;

  /** Deletes finished tasks older than the retention time, with their keys, `most` at most. Returns how many. */
  forget(most: number): Promise<number>;

  /** Returns the age of the oldest unfinished task, milliseconds; 0 without one. */
  oldestOpenMs(): Promise<number>;
}
