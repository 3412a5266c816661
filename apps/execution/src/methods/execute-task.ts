import { isFinal, keptMembers, taskIds, type TaskParams } from "../tasks/task.ts";
import { hash } from "node:crypto";
import {
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type JsonRpcId,
  type TaskEvent,
  ZoneError,
} from "@crosszone/contracts";
import { type Call, notificationText } from "@crosszone/jsonrpc";
import type { RequestContext } from "./request-context.ts";
import { inputRequired, resultOf } from "./read-task.ts";
import { showUntilSettled } from "./wait-for-task.ts";
import type { ZoneParts } from "./zone-parts.ts";

/** How long to wait for a task with progress, milliseconds, so that the caller's first poll already shows progress. */
const progressWindowMs = { agent: 1_000, workflow: 250 };

/**
 * `execute_task`: runs a task. Returns its result, or that it was accepted when it takes longer than the sync window.
 * Sends its progress until then to a caller that takes notifications.
 */
export async function executeTask(
  parts: ZoneParts,
  params: ExecuteTaskParams,
  { context, call }: { readonly context: RequestContext; readonly call: Call },
): Promise<ExecuteTaskResult> {
  const { agents, runner, emit } = parts;
  const { syncWindowMs, taskDeadlineMs } = parts.limits;
  if (!isKey(call.id)) throw notIdempotent();
  const agent = await agents.resolve(params.agent);
  if (!agent) throw new ZoneError("unknown_agent", { agent: params.agent ?? agents.defaultName });
  const { name, kind = "agent", progress } = agent;
  const { caller, traceparent, signal, notify } = context;
  const print = fingerprint(params, name);
  const asked = {
    caller,
    key: JSON.stringify(call.id),
    fingerprint: print,
    correlation_id: call.correlationId,
    traceparent,
    agent: name,
    params: paramsToKeep(params),
    handle: params.bot_token,
    deadline_ms: taskDeadlineMs,
  };
  // The existing task with this id, or a new one.
  let task = await runner.submit(asked, agent);
  if (task.fingerprint !== print) throw new ZoneError("invalid_params", { problems: [otherTask] });
  const { task_id } = task;
  if (notify !== undefined && !isFinal(task.state)) {
    const accepted: TaskEvent = { type: "accepted", task_id, seq: 0 };
    await notify(notificationText("task_event", accepted));
    const onFailed = (cause: unknown): void => emit("task_progress_failed", { ...taskIds(task), cause });
    const until = { runner, progress, sinceSeq: 0, waitMs: syncWindowMs, notify, signal, onFailed };
    task = await showUntilSettled(task, until);
  } else {
    // A caller that will poll its progress waits only shortly.
    const windowMs = progress === undefined ? syncWindowMs : Math.min(syncWindowMs, progressWindowMs[kind]);
    task = await runner.waitUntilSettled(task, windowMs, signal);
  }
  if (isFinal(task.state)) return resultOf(task, agents.defaultName);
  return (await inputRequired(parts, task, notify)) ?? { status: "accepted", task_id };
}

const otherTask = { pointer: "", message: "the request id belongs to another task" };

function paramsToKeep(params: ExecuteTaskParams): TaskParams {
  const kept: Partial<Record<(typeof keptMembers)[number], unknown>> = {};
  for (const name of keptMembers) if (params[name] !== undefined) kept[name] = params[name];
  return kept as TaskParams;
}

/** Identifies the question of a request. A repeated request may have other handles and another correlation id. */
function fingerprint({ channel, thread_ts, text }: ExecuteTaskParams, agent: string): string {
  return hash("sha256", `${JSON.stringify([agent, channel, thread_ts])}${text}`, "base64url");
}

/** The longest id, in characters. An id is stored as long as its task. */
const longestId = 255;

/** Whether an id is unique to a request: null isn't, nor are numbers that JavaScript rounds. */
function isKey(id: JsonRpcId | undefined): boolean {
  return (
    (typeof id === "string" && id.length <= longestId) ||
    (typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER)
  );
}

function notIdempotent(): ZoneError {
  const message =
    "execute_task needs an id that is a string of at most 255 characters or a safe number: it is the idempotency key";
  return new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
}
