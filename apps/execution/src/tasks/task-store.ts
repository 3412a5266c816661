import type { FinalState } from "./task-state.ts";
import type { HeldTask, NewTask, TakenTask, Task, TaskOutcome } from "./task.ts";

/** Thrown when a task has ended, or is somebody else's by now: what this process found out about it counts no more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  /** The task as it stands; nothing when it is gone. */
  readonly task: Task | undefined;

  constructor(task: Task | undefined) {
    super("the task is not held any more");
    this.task = task;
  }
}

/**
 * Where tasks are kept, for one process of the zone; others may share what is behind it. A task that runs is leased to its process:
 * only who holds the lease may end it, and a lease that is not renewed in time may be taken. Every method may be repeated: when an
 * answer was lost, doing the same again gives it. While the store cannot be reached they reject with a retryable `ZoneError`.
 */
export interface TaskStore {
  /** How long a lease holds that is not renewed, milliseconds. */
  readonly leaseMs: number;

  /**
   * Keeps a new task, working and leased to this process, or finds the one that the same caller made with the same key; `created`
   * tells which. One key never makes two tasks. Durable when it resolves.
   */
  create(task: NewTask): Promise<{ readonly task: Task; readonly created: boolean }>;

  /** The task that this caller made with this key. */
  findByKey(caller: string, key: string): Promise<Task | undefined>;

  /** The task, or nothing when there is none or it was kept long enough. */
  get(taskId: string): Promise<Task | undefined>;

  /** Returns the handle for the files of an open task; undefined when it was not stored. */
  handleOf(taskId: string): Promise<string | undefined>;

  /** Those of the tasks that have ended. */
  finished(taskIds: readonly string[]): Promise<readonly Task[]>;

  /** Ends a task that this process holds; durable when it resolves. Rejects with `LeaseLostError` when it does not hold it. */
  end(held: HeldTask, state: FinalState, outcome: TaskOutcome): Promise<Task>;

  /**
   * Cancels a task, whoever runs it. `canceledAfterMs` is the time that it took until then; nothing when it was canceled before. Rejects with `invalid_state_transition` when it
   * ended otherwise, `task_not_found` when it is gone.
   */
  cancel(taskId: string, outcome: TaskOutcome): Promise<{ readonly task: Task; readonly canceledAfterMs?: number }>;

  /** Renews the leases that this process holds; gives those that it has lost. */
  renew(held: readonly HeldTask[]): Promise<readonly HeldTask[]>;

  /** Those of the leases that this process has lost; renews nothing. */
  lost(held: readonly HeldTask[]): Promise<readonly HeldTask[]>;

  /** Gives tasks back as if they had not been taken: the attempt does not count. */
  handBack(held: readonly HeldTask[]): Promise<void>;

  /** Leases tasks whose lease is over to this process, so many at most, without those that it runs. */
  take(most: number, running: readonly string[]): Promise<readonly TakenTask[]>;

  /** Forgets finished tasks that were kept long enough, with their keys, so many at most; gives how many. */
  forget(most: number): Promise<number>;

  /** Since when the oldest task that has not ended is there, milliseconds; 0 when there is none. */
  oldestOpenMs(): Promise<number>;
}
