import type { TaskState } from "@crosszone/contracts";
import type { NewTask, Task, TaskOutcome } from "./task.ts";

/** Where tasks are kept. Every method is safe to call at the same time from several requests. */
export interface TaskStore {
  /**
   * Keeps a new task, or finds the one that the same caller made with the same key; `created` tells which. One key never
   * makes two tasks.
   */
  create(task: NewTask): Promise<{ task: Task; created: boolean }>;

  /** The task that this caller made with this key. */
  findByKey(caller: string, key: string): Promise<Task | undefined>;

  /** The task, or nothing when there is none or it was kept long enough. */
  get(taskId: string): Promise<Task | undefined>;

  /**
   * Moves a task to another state, with its outcome when that is final. Compare-and-set: of two that end one task, the
   * first wins and the other throws `invalid_state_transition`; `task_not_found` when it is gone.
   */
  move(taskId: string, to: TaskState, outcome?: TaskOutcome): Promise<Task>;

  /** Waits until the task is final, for `waitMs` milliseconds at the most or until the signal; answers how it stands then. */
  waitUntilFinal(taskId: string, waitMs: number, signal?: AbortSignal): Promise<Task | undefined>;
}
