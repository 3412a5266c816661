import { hash } from "node:crypto";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import type { NewTask, Task, TaskOutcome, TaskParams } from "../task.ts";
import type { TaskTable } from "./task-table.ts";

/** Under what a key of a caller is found. No two pairs are one text: a key is JSON, which says itself where it ends. */
export const requestKey = (caller: string, key: string): string => hash("sha256", `${key} ${caller}`, "base64url");

/** What the sealed columns of a task belong to. */
export const handleContext = (taskId: string): string => `task handle ${taskId}`;
export const paramsContext = (taskId: string): string => `task params ${taskId}`;
export const outcomeContext = (taskId: string): string => `task outcome ${taskId}`;

/** What a task was made with, as JSON: whatever people wrote is safe in it. */
export function recordOf({ caller, key, fingerprint, correlation_id, traceparent, agent }: NewTask): string {
  return JSON.stringify({ caller, key, fingerprint, correlation_id, traceparent, agent });
}

/** The columns that a task is read from. */
export const taskColumns = ["task_id", "state", "record", "params", "outcome"] as const;

export type TaskRow = Pick<TaskTable, (typeof taskColumns)[number]>;

/** What its key does not open is missing of what was asked, and is an `internal` error in the place of an outcome. */
export function taskOf({ task_id, state, record, params, outcome }: TaskRow, codec: RecordCodec): Task {
  const asked = params === null ? undefined : opened(() => codec.fromColumn(params, paramsContext(task_id)));
  const came = outcome === null ? undefined : opened(() => codec.fromColumn(outcome, outcomeContext(task_id)));
  return {
    // Never sealed, so that it needs no key and belongs to no context.
    ...(codec.fromColumn(record, "") as Pick<NewTask, "caller" | "key" | "fingerprint" | "correlation_id" | "agent">),
    task_id,
    state,
    ...(asked !== undefined && { params: asked as TaskParams }),
    ...(outcome !== null && { outcome: (came as TaskOutcome | undefined) ?? unreadable }),
  };
}

const unreadable: TaskOutcome = { error: { kind: "internal", data: {} } };

/** Returns the content of a sealed column; undefined when its key is missing. */
export function opened(open: () => unknown): unknown {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealedTextError) return undefined;
    throw error;
  }
}
