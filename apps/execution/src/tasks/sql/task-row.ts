import { hash } from "node:crypto";
import type { NewTask, Task, TaskOutcome, TaskParams } from "../task.ts";
import type { TaskTable } from "./task-table.ts";

const digest = (text: string): string => hash("sha256", text, "base64url");

/** Under what a key of a caller is found. No two pairs are one text: a key is JSON, which says itself where it ends. */
export const requestKey = (caller: string, key: string): string => digest(`${key} ${caller}`);

/** Under what the tasks of a team are found: an id may be anything that a caller says. */
export const teamKey = (teamId: string): string => digest(teamId);

/** What the sealed handle of a task belongs to. */
export const handleContext = (taskId: string): string => `task handle ${taskId}`;

/** What a task was made with, as JSON: whatever people wrote is safe in it. */
export function recordOf({ caller, key, fingerprint, correlation_id, traceparent, agent }: NewTask): string {
  return JSON.stringify({ caller, key, fingerprint, correlation_id, traceparent, agent });
}

/** The columns that a task is read from. */
export const taskColumns = ["task_id", "state", "record", "params", "outcome"] as const;

export type TaskRow = Pick<TaskTable, (typeof taskColumns)[number]>;

export function taskOf({ task_id, state, record, params, outcome }: TaskRow): Task {
  return {
    ...(JSON.parse(record) as Pick<NewTask, "caller" | "key" | "fingerprint" | "correlation_id" | "agent">),
    task_id,
    state,
    ...(params !== null && { params: JSON.parse(params) as TaskParams }),
    ...(outcome !== null && { outcome: JSON.parse(outcome) as TaskOutcome }),
  };
}
