import type { TaskList, TaskRecord, TaskState } from "@crosszone/contracts";

/** Filters and page of a task list. */
export interface TaskQuery {
  readonly limit: number;
  readonly offset: number;
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlationId?: string;
}

/** Reads tasks for operators, without question and answer. Uses no keys, so sealed values are omitted. */
export interface TaskReader {
  /** Newest first. */
  readonly list: (query: TaskQuery) => Promise<TaskList>;
  /** Returns undefined when no task has this id. */
  readonly get: (taskId: string) => Promise<TaskRecord | undefined>;
}
