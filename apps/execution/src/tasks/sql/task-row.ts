import { hash } from "node:crypto";
import type { TaskState } from "@crosszone/contracts";
import type { ExecutionJobTable } from "@crosszone/agent-calls";
import { jobStates } from "@crosszone/jobs";
import { type RecordCodec, SealedTextError } from "@crosszone/service-kit";
import type { NewTask, Task, TaskOutcome, TaskParams } from "../task.ts";

/** The form of task ids. https://www.rfc-editor.org/rfc/rfc9562#section-4 */
const form = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a text has the form of a task id. Ids from outside may be anything, including text that databases reject. */
export const isTaskId = (id: string): boolean => form.test(id);

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
export const taskColumns = ["id", "state", "outcome", "record", "input", "output"] as const;

export type TaskRow = Pick<ExecutionJobTable, (typeof taskColumns)[number]>;

/** Returns the state of a task: how its job ended, else working. */
export const taskStateOf = ({ state, outcome }: Pick<TaskRow, "state" | "outcome">): TaskState =>
  state === jobStates.ended ? (outcome as TaskState) : "working";

/**
 * Reads a task from its job's row. When a key is missing, a sealed question is absent, and a sealed outcome becomes an
 * `internal` error.
 */
export function taskOf({ id, record, input, output, ...at }: TaskRow, codec: RecordCodec): Task {
  const asked = input === null ? undefined : opened(() => codec.fromColumn(input, paramsContext(id)));
  const came = output === null ? undefined : opened(() => codec.fromColumn(output, outcomeContext(id)));
  return {
    // Never sealed, so it needs neither key nor context.
    ...(codec.fromColumn(record, "") as Pick<NewTask, "caller" | "key" | "fingerprint" | "correlation_id" | "agent">),
    task_id: id,
    state: taskStateOf(at),
    ...(asked !== undefined && { params: asked as TaskParams }),
    ...(output !== null && { outcome: (came as TaskOutcome | undefined) ?? unreadable }),
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
