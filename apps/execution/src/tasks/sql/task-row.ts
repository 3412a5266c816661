import { hash } from "node:crypto";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import type { NewTask, Task, TaskOutcome, TaskParams } from "../task.ts";
import type { TaskTable } from "./task-table.ts";

/**
 * Returns the digest of a caller and its key. No two pairs give the same text: the key is JSON, so its end is
 * unambiguous.
 */
export const requestKey = (caller: string, key: string): string => hash("sha256", `${key} ${caller}`, "base64url");

/** The contexts that a task's sealed columns are bound to. */
export const handleContext = (taskId: string): string => `task handle ${taskId}`;
export const paramsContext = (taskId: string): string => `task params ${taskId}`;
export const outcomeContext = (taskId: string): string => `task outcome ${taskId}`;

/** Returns a task's constant members as JSON, which makes any text safe to store. */
export function recordOf({ caller, key, fingerprint, correlation_id, traceparent, agent }: NewTask): string {
  return JSON.stringify({ caller, key, fingerprint, correlation_id, traceparent, agent });
}

/** The columns from which a task is read. */
export const taskColumns = ["task_id", "state", "record", "params", "outcome"] as const;

export type TaskRow = Pick<TaskTable, (typeof taskColumns)[number]>;

/**
 * Reads a task from its row. When a key is missing, sealed params are absent, and a sealed outcome becomes an
 * `internal` error.
 */
export function taskOf({ task_id, state, record, params, outcome }: TaskRow, codec: RecordCodec): Task {
  const asked = params === null ? undefined : opened(() => codec.fromColumn(params, paramsContext(task_id)));
  const came = outcome === null ? undefined : opened(() => codec.fromColumn(outcome, outcomeContext(task_id)));
  return {
    // Never sealed, so it needs neither key nor context.
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
