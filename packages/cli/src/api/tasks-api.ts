import { isTaskList, isTaskRecord, type TaskList, type TaskRecord, type TaskState } from "@crosszone/contracts";
import type { AskApi } from "./agents-api.ts";
import type { Page } from "./page.ts";
import { queryOf } from "./query-of.ts";

export interface TaskQuery extends Page {
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlation_id?: string;
}

/** Client of the zone's task API. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface TasksApi {
  readonly list: (query: TaskQuery) => Promise<TaskList>;
  readonly get: (taskId: string) => Promise<TaskRecord>;
}

export function createTasksApi(ask: AskApi): TasksApi {
  return {
    list: (query) => ask(isTaskList, { path: `tasks${queryOf({ ...query })}` }),
    get: (taskId) => ask(isTaskRecord, { path: `tasks/${encodeURIComponent(taskId)}` }),
  };
}
