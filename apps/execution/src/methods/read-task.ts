import { type ReadTaskFileParams, type ReadTaskFileResult, type TaskSucceeded, ZoneError } from "@crosszone/contracts";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import { failureOf, type Task } from "../tasks/task.ts";
import { successWith } from "../tasks/run-agent.ts";
import type { ZoneParts } from "./zone-parts.ts";

/** Returns the caller's own task. Throws `task_not_found` for an unknown task and for another caller's. */
export async function findTask(store: TaskStore, taskId: string, caller: string): Promise<Task> {
  const task = await store.get(taskId);
  if (task?.caller !== caller) throw new ZoneError("task_not_found", { task_id: taskId });
  return task;
}

/** Returns the result of a final task. Throws the error of a failed task. */
export function resultOf({ task_id, outcome }: Task, defaultAgent: string): TaskSucceeded {
  if (!outcome) throw new ZoneError("internal", { task_id });
  if ("error" in outcome) throw new ZoneError(outcome.error.kind, outcome.error.data);
  const { answer } = outcome;
  return { ...answer, default_agent: answer.agent === undefined ? undefined : answer.agent === defaultAgent };
}

/** Bytes per answer. As base64 they are a third larger, well below what a peer accepts. */
const pieceBytes = 1024 * 1024;

/**
 * `read_task_file`: returns a piece of a file of a succeeded task. Throws `task_not_found` for a task of another
 * caller, and `invalid_params` for a file that the task does not have.
 */
export async function readTaskFile(
  { store, agents }: ZoneParts,
  { task_id, file_id, offset = 0 }: ReadTaskFileParams,
  caller: string,
): Promise<ReadTaskFileResult> {
  const task = await retriedTask(await findTask(store, task_id, caller), agents);
  const outcome = task === "working" ? undefined : task.outcome;
  const file =
    outcome !== undefined && "answer" in outcome ? outcome.files?.find(({ id }) => id === file_id) : undefined;
  if (file === undefined)
    throw new ZoneError("invalid_params", {
      problems: [{ pointer: "/file_id", message: `task ${task_id} has no file ${JSON.stringify(file_id)}` }],
    });
  const bytes = Buffer.from(file.bytes, "base64");
  const end = offset + pieceBytes;
  return {
    bytes: bytes.subarray(offset, end).toString("base64"),
    next_offset: end < bytes.length ? end : undefined,
  };
}

/**
 * Returns a task that has ended as its work is now: `working`, or with its new end, if an operator has retried the work
 * after it failed.
 */
export async function retriedTask(task: Task, agents: AgentDirectory): Promise<Task | "working"> {
  const { task_id, agent: name, outcome } = task;
  if (outcome === undefined || !("error" in outcome) || outcome.error.data.failed_run === undefined) return task;
  const agent = await agents.resolve(name);
  try {
    const answer = await agent?.sinceFailure?.(task_id, outcome.error.data.progress?.revision ?? 0);
    if (answer === undefined || answer === "working") return answer ?? task;
    return { ...task, state: "success", outcome: successWith(answer, { task_id, agent: name }) };
  } catch (error) {
    const { state, outcome: end } = failureOf(task, error);
    // Another error, such as an outage of the database, is no end of the work.
    if (!("error" in end) || end.error.data.failed_run === undefined) throw error;
    return { ...task, state, outcome: end };
  }
}
