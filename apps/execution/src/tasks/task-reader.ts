import type { TaskList, TaskRecord, TaskState } from "@crosszone/contracts";

/** Which tasks are listed. */
export interface TaskQuery {
  readonly limit: number;
  readonly offset: number;
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlationId?: string;
}

/** Reads tasks for operators, without what was asked and answered. What is sealed is left out: no key is used. */
export interface TaskReader {
  /** Newest first. */
  readonly list: (query: TaskQuery) => Promise<TaskList>;
  /** Undefined when no task has this id. */
  readonly get: (taskId: string) => Promise<TaskRecord | undefined>;
}
