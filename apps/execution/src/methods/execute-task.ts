import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { taskIds } from "../tasks/task-end.ts";
import { hash } from "node:crypto";
import {
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type JsonRpcId,
  type TaskEvent,
  ZoneError,
} from "@crosszone/contracts";
import { type Call, notificationText } from "@crosszone/jsonrpc";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { Agent } from "../agents/agent.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import { isFinal, keptMembers, type Task, type TaskParams } from "../tasks/task.ts";
import type { Notify, RequestContext } from "./request-context.ts";
import { resultOf } from "./read-task.ts";
import { showUntilFinal } from "./wait-for-task.ts";

export interface ExecuteTaskDeps {
  agents: AgentDirectory;
  runner: TaskRunner;
  /** How long `execute_task` waits for the answer before it returns `accepted`, milliseconds. */
  syncWindowMs: number;
  /** Timeout of a task, milliseconds. */
  taskDeadlineMs: number;
  readonly emit: Emit<ExecutionEvent>;
}

/** How long to wait for a task with progress, milliseconds, so that the caller's first poll already shows progress. */
const progressWindowMs = { agent: 1_000, workflow: 250 };

/**
 * `execute_task`: runs a task. Returns its result, or that it was accepted when it takes longer than the sync window.
 */
export async function executeTask(
  deps: ExecuteTaskDeps,
  params: ExecuteTaskParams,
  { context, call }: { readonly context: RequestContext; readonly call: Call },
): Promise<ExecuteTaskResult> {
  if (!isKey(call.id)) throw notIdempotent();
  const agent = await deps.agents.resolve(params.agent);
  if (!agent) throw new ZoneError("unknown_agent", { agent: params.agent ?? deps.agents.defaultName });
  const task = await findOrStart(deps, params, { agent, context, call });
  const { signal, notify } = context;
  const later = await (notify
    ? showFirst(deps, task, { agent, signal, notify })
    : waitFirst(deps, task, { agent, signal }));
  return isFinal(later.state)
    ? resultOf(later, deps.agents.defaultName)
    : { status: "accepted", task_id: task.task_id };
}

/** Returns the task after a short wait, for a caller that will poll its progress. */
async function waitFirst(
  { runner, syncWindowMs }: ExecuteTaskDeps,
  task: Task,
  { agent: { progress, kind = "agent" }, signal }: { readonly agent: Agent; readonly signal: AbortSignal | undefined },
): Promise<Task> {
  const windowMs = Math.min(syncWindowMs, progress === undefined ? Infinity : progressWindowMs[kind]);
  return runner.waitUntilFinal(task, windowMs, signal);
}

/** Returns the task after the sync window. Sends its progress until then. */
async function showFirst(
  { runner, syncWindowMs: waitMs, emit }: ExecuteTaskDeps,
  task: Task,
  {
    agent: { progress },
    signal,
    notify,
  }: { readonly agent: Agent; readonly signal: AbortSignal | undefined; readonly notify: Notify },
): Promise<Task> {
  if (isFinal(task.state)) return task;
  await notify(notificationText("task_event", { type: "accepted", task_id: task.task_id, seq: 0 } satisfies TaskEvent));
  const onFailed = (cause: unknown): void => emit("task_progress_failed", { ...taskIds(task), cause });
  return showUntilFinal(task, { runner, progress, sinceSeq: 0, waitMs, notify, signal, onFailed });
}

/** Returns the task of this request: the existing one with its id, or a new one. */
async function findOrStart(
  { runner, taskDeadlineMs }: Pick<ExecuteTaskDeps, "runner" | "taskDeadlineMs">,
  params: ExecuteTaskParams,
  { agent, context, call }: { readonly agent: Agent; readonly context: RequestContext; readonly call: Call },
): Promise<Task> {
  const { caller, traceparent } = context;
  const print = fingerprint(params, agent.name);
  const task = await runner.submit(
    {
      caller,
      key: JSON.stringify(call.id),
      fingerprint: print,
      correlation_id: call.correlationId,
      traceparent,
      agent: agent.name,
      params: paramsToKeep(params),
      handle: params.bot_token,
      deadline_ms: taskDeadlineMs,
    },
    agent,
  );
  if (task.fingerprint !== print)
    throw new ZoneError("invalid_params", {
      problems: [{ pointer: "", message: "the request id belongs to another task" }],
    });
  return task;
}

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
