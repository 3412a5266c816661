import {
  type ReadTaskFileParams,
  type ReadTaskFileResult,
  type TaskEvent,
  type TaskInputRequired,
  type TaskSucceeded,
  ZoneError,
} from "@crosszone/contracts";
import { notificationText } from "@crosszone/jsonrpc";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import { failureOf, type Task, taskIds } from "../tasks/task.ts";
import { successWith } from "../tasks/run-agent.ts";
import type { Notify } from "./request-context.ts";
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

/**
 * Returns the result of a task that waits for people, after an event with the same requests; undefined if it does not wait, or is about to
 * continue.
 */
export async function inputRequired(
  { agents, inputRequests, emit }: ZoneParts,
  task: Task,
  notify: Notify | undefined,
): Promise<TaskInputRequired | undefined> {
  const { task_id, state, agent, paused } = task;
  if (state !== "input_required") return undefined;
  const input_requests = [...(await inputRequests.list({ taskId: task_id, state: "open" }, { limit: mostOfTask }))];
  if (input_requests.length === 0) return undefined;
  const event: TaskEvent = { type: "input_requested", task_id, seq: lastSeq, input_requests };
  await notify?.(notificationText("task_event", event));
  const onFailed = (cause: unknown): undefined => {
    emit("task_progress_failed", { ...taskIds(task), cause });
  };
  const progress = await agents
    .resolve(agent)
    .then((by) => by?.progress?.read(task_id))
    .catch(onFailed);
  const default_agent = agent === agents.defaultName;
  return { status: "input_required", task_id, input_requests, agent, default_agent, progress, text: paused?.text };
}

/** More than a task has. */
const mostOfTask = 1_000;

/** After all events of a run. */
const lastSeq = Number.MAX_SAFE_INTEGER;

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
