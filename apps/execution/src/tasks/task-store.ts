import type { ExecutionColumn, LeasedJob } from "@crosszone/jobs";
import type { Conversation, KeptConversation } from "../agents/conversations.ts";
import type { FinalState, LeasedTask, NewTask, RecoveredTask, Task, TaskOutcome } from "./task.ts";

/** The kind of jobs that are tasks, and their share. */
export const taskKind = "task";

/** What `TaskStore.create` did. */
export interface CreatedTask {
  readonly task: Task;
  readonly created: boolean;
  /** As it was before the task; undefined when it was not read. */
  readonly conversation?: Conversation;
}

/** A task that ends. */
export interface EndingTask extends LeasedTask {
  /** The conversation after it, if it has changed. */
  readonly conversation?: KeptConversation;
}

/**
 * Stores tasks as jobs, for one process of the zone; other processes may share the storage. A running task is leased to
 * its process, and only the holder of the lease may end it. Every method is idempotent: repeating a call whose answer
 * was lost returns that answer. While the store is unreachable, methods reject with a retryable `ZoneError`.
 */
export interface TaskStore {
  /**
   * Stores a new task, working and leased to this process, or returns the existing task of the same caller and key;
   * `created` says which. A key never creates two tasks. Durable when it resolves. Reads the conversation of an agent,
   * by its id, with it.
   */
  create(task: NewTask, conversationId?: string): Promise<CreatedTask>;

  /** Returns the caller's task with this key. */
  findByKey(caller: string, key: string): Promise<Task | undefined>;

  /** Returns the task; undefined when unknown or deleted. */
  get(taskId: string): Promise<Task | undefined>;

  /** Returns the handle for the files of an open task; undefined when it was not stored. */
  handleOf(taskId: string): Promise<string | undefined>;

  /** Returns those of the tasks that have ended. */
  finished(taskIds: readonly string[]): Promise<readonly Task[]>;

  /** Reads a task that this process has taken over. */
  recoveredTask(job: LeasedJob<ExecutionColumn>): RecoveredTask;

  /**
   * Ends a task that this process has leased; durable when it resolves. Returns undefined when it no longer holds the
   * lease. Stores the conversation, if any, in the same commit.
   */
  end(ending: EndingTask, state: FinalState, outcome: TaskOutcome): Promise<Task | undefined>;

  /**
   * Cancels a task in whichever process it runs. `canceledAfterMs` is its age at that time; undefined when it was
   * canceled before. Rejects with `invalid_state_transition` when it ended otherwise, `task_not_found` when it is
   * deleted.
   */
  cancel(taskId: string, outcome: TaskOutcome): Promise<{ readonly task: Task; readonly canceledAfterMs?: number }>;

  /** Deletes finished tasks older than the retention time, with their keys, `most` at most. Returns how many. */
  forget(most: number): Promise<number>;

  /** Returns the age of the oldest unfinished task, milliseconds; 0 without one. */
  oldestOpenMs(): Promise<number>;
}
