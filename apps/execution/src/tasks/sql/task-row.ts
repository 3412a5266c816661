import { hash } from "node:crypto";
import type { NewTask, Task, TaskOutcome, TaskParams } from "../task.ts";
import type { TaskTable } from "./task-table.ts";

/** Under what a key of a caller is found. No two pairs are one text: a key is JSON, which says itself where it ends. */
export const requestKey = (caller: string, key: string): string => hash("sha256", `${key} ${caller}`, "base64url");

/** The id of the team, where it is one: what comes from a caller may be anything, and what is no id is nobody's. */
export const teamIdOf = ({ team_id }: TaskParams): string | null =>
  team_id !== undefined && /^[\w-]{1,64}$/.test(team_id) ? team_id : null;

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
