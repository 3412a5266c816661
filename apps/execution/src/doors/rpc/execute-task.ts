import { hash } from "node:crypto";
import {
  type ExecuteTaskParams,
  type ExecuteTaskResult,
  type GetUsageParams,
  type GetUsageResult,
  type JsonRpcId,
  type ReadTaskFileParams,
  type ReadTaskFileResult,
  type TaskEvent,
  type TaskInputRequired,
  type TaskSucceeded,
  ZoneError,
} from "@crosszone/contracts";
import { type Call, notificationText } from "@crosszone/jsonrpc";
import type { Emit } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { noLonger } from "@crosszone/service-kit/timing";
import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { AgentDirectory } from "../../agents/agent-directory.ts";
import type { AgentProgress } from "../../agents/agent.ts";
import type { Schedules } from "../../fires/schedule-store.ts";
import type { InputRequests } from "../../people/input-requests.ts";
import type { CheckToken } from "../../people/token-store.ts";
import { copyProgress, PreviewLog } from "../../tasks/preview-log.ts";
import { successWith } from "../../tasks/run-agent.ts";
import type { MessageStore } from "../../tasks/store/message-store.ts";
import type { TaskStore } from "../../tasks/store/task-store.ts";
import type { TaskRunner } from "../../tasks/task-runner.ts";
import { failureOf, isFinal, keptMembers, progressFailed, type Task, type TaskParams } from "../../tasks/task.ts";
import type { DescribeZone } from "./describe-zone.ts";

/** Limits of messages, and times of tasks and of their callers, milliseconds. */
interface TaskLimits {
  /** How long `execute_task` waits for the answer before it returns `accepted`. */
  readonly syncWindowMs: number;
  /** The longest wait for a result. */
  readonly maxWaitMs: number;
  /** Timeout of a task. */
  readonly taskDeadlineMs: number;
  /** The longest message, bytes. */
  readonly maxBytes: number;
  /** Deepest nesting of arrays and objects in a message. */
  readonly maxDepth: number;
}

/** What the methods of the zone link use. */
export interface HandlerParts {
  readonly agents: AgentDirectory;
  readonly store: TaskStore;
  readonly runner: TaskRunner;
  readonly inputRequests: InputRequests;
  readonly limits: TaskLimits;
  readonly emit: Emit<ExecutionEvent>;
  readonly tracer: Tracer;
  readonly describeZone: DescribeZone;
  /** Returns one person's use of language models. */
  readonly usageOf: (who: GetUsageParams) => Promise<GetUsageResult>;
  readonly checkToken: CheckToken;
  readonly messages: Pick<MessageStore, "report" | "names"> | undefined;
  readonly schedules: Schedules;
}

/**
 * Sends a notification before the answer. Resolves when the caller can receive more, or has disconnected; never
 * rejects.
 */
export type Notify = (message: string) => Promise<void>;

/** What a method knows about the request besides its params. */
export interface RequestContext {
  /** The authenticated caller. */
  readonly caller: string;
  /** Identifies the request in logs and errors. Replaced by the id in the params once they are read. */
  correlationId: string;
  /** The HTTP request's id in logs. */
  readonly requestId?: string;
  /** The request's span: the caller's, then this zone's own. */
  traceparent?: string;
  /** This zone's own span, when recorded. */
  span?: Span;
  /** Returns the scheme, host and port that the request was sent to; absent within one process. */
  readonly origin?: () => string;
  /** Aborted when the caller disconnects. Ends waiting, but never a task. */
  readonly signal?: AbortSignal;
  /** Absent when the caller accepts only the answer. */
  readonly notify?: Notify;
}

/** Returns the caller's own task. Throws `task_not_found` for an unknown task and for another caller's. */
export async function ownTask(store: TaskStore, taskId: string, caller: string): Promise<Task> {
  const task = await store.get(taskId);
  if (task?.caller !== caller) throw new ZoneError("task_not_found", { task_id: taskId });
  return task;
}

/** Returns the result of a final task. Throws the error of a failed task. */
export function taskResultOf({ task_id, outcome }: Task, defaultAgent: string): TaskSucceeded {
  if (!outcome) throw new ZoneError("internal", { task_id });
  if ("error" in outcome) throw new ZoneError(outcome.error.kind, outcome.error.data);
  const { answer } = outcome;
  return { ...answer, default_agent: answer.agent === undefined ? undefined : answer.agent === defaultAgent };
}

/**
 * Returns the result of a task that waits: for people, after an event with the same requests, or for a time or an event, without a request.
 * Undefined if it does not wait, or is about to continue.
 */
export async function inputRequired(
  { agents, inputRequests, emit }: HandlerParts,
  task: Task,
  notify: Notify | undefined,
): Promise<TaskInputRequired | undefined> {
  const { task_id, state, agent, paused } = task;
  if (state !== "input_required") return undefined;
  const input_requests = [...(await inputRequests.list({ taskId: task_id, state: "open" }, { limit: mostOfTask }))];
  const onFailed = progressFailed(emit, task);
  const shown = (await agents.resolve(agent).catch(onFailed))?.progress;
  const isAsked = input_requests.length > 0;
  // One that looks again goes on by itself once something has happened elsewhere.
  const looks = paused?.look_again_ms !== undefined;
  const until = isAsked ? undefined : looks ? Infinity : await shown?.asleepUntil?.(task_id).catch(onFailed);
  if (!isAsked && until === undefined) return undefined;
  const event: TaskEvent = { type: "input_requested", task_id, seq: lastSeq, input_requests };
  if (isAsked) await notify?.(notificationText("task_event", event));
  const progress = await shown?.read(task_id).catch(onFailed);
  const resumes_at = until === undefined || until === Infinity ? undefined : isoTime(until);
  const waits = { input_requests, resumes_at, agent, default_agent: agent === agents.defaultName, progress };
  return { status: "input_required", task_id, ...waits, text: paused?.text };
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
  { store, agents }: HandlerParts,
  { task_id, file_id, offset = 0 }: ReadTaskFileParams,
  caller: string,
): Promise<ReadTaskFileResult> {
  const task = await retriedTask(await ownTask(store, task_id, caller), agents);
  const outcome = task === "working" ? undefined : task.outcome;
  const file =
    outcome !== undefined && "answer" in outcome ? outcome.files?.find(({ id }) => id === file_id) : undefined;
  if (file === undefined)
    throw new ZoneError("invalid_params", {
      problems: [{ pointer: "/file_id", message: `task ${task_id} has no file ${JSON.stringify(file_id)}` }],
    });
  const bytes = Buffer.from(file.bytes, "base64");
  const end = offset + pieceBytes;
  return { bytes: bytes.subarray(offset, end).toString("base64"), next_offset: end < bytes.length ? end : undefined };
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

interface WaitOptions {
  readonly runner: TaskRunner;
  /** Progress of the task's agent, when it has any. */
  readonly progress: AgentProgress | undefined;
  /** The longest wait, milliseconds. */
  readonly waitMs: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
  /** Called when the progress can't be read. Waiting continues. */
  readonly onFailed: (cause: unknown) => void;
}

/**
 * Wait for a caller that didn't say which progress it has, milliseconds. Short, so that it soon shows progress; not
 * zero, or it would poll without a pause.
 */
const unseenMs = 250;

/**
 * Waits until a task is final, has newer progress than the revision `seen` that the caller received, if any, or the wait is over. Returns the
 * task as it is then.
 */
export async function waitForNews(
  task: Task,
  { runner, progress, seen, waitMs, signal, onFailed }: WaitOptions & { readonly seen: number | undefined },
): Promise<Task> {
  if (progress === undefined || waitMs === 0) return runner.waitUntilSettled(task, waitMs, signal);
  if (seen === undefined) return runner.waitUntilSettled(task, Math.min(waitMs, unseenMs), signal);
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  progress.waitForNewer(task.task_id, seen, either).then(() => over.abort(noLonger), onFailed);
  try {
    return await runner.waitUntilSettled(task, waitMs, either);
  } finally {
    over.abort(noLonger);
  }
}

interface ShowUntilSettledOptions extends WaitOptions {
  /** The number of the last event that the caller received. */
  readonly sinceSeq: number;
  readonly notify: Notify;
}

/** Sends the events of a task until it has ended or waits for people, or the wait is over. Returns the task as it is then. */
export async function showUntilSettled(task: Task, options: ShowUntilSettledOptions): Promise<Task> {
  const { runner, progress, sinceSeq, waitMs, signal, onFailed } = options;
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const { task_id: taskId } = task;
  // A task in another process shows only its progress.
  const shown = runner.shownOf(taskId) ?? new PreviewLog(taskId, sinceSeq);
  const showing = show(shown, { ...options, signal: either });
  const copying = progress && copyProgress(progress, { taskId, to: shown, signal: either }).catch(onFailed);
  try {
    return await runner.waitUntilSettled(task, waitMs, signal);
  } finally {
    over.abort(noLonger);
    await Promise.all([showing, copying]);
  }
}

/** Sends all events, including those that exist when the signal aborts. */
async function show(
  shown: PreviewLog,
  { sinceSeq, notify, signal }: ShowUntilSettledOptions & { readonly signal: AbortSignal },
): Promise<void> {
  let seen = shown.seenWith(sinceSeq);
  let isOver = false;
  while (!isOver) {
    await shown.waitForNewer(seen, signal);
    isOver = signal.aborted;
    const news = shown.since(seen);
    seen = news.seen;
    for (const event of news.events) await notify(notificationText("task_event", event));
  }
}

/** How long to wait for a task with progress, milliseconds, so that the caller's first poll already shows progress. */
const progressWindowMs = { agent: 1_000, workflow: 250 };

/**
 * `execute_task`: runs a task. Returns its result, or that it was accepted when it takes longer than the sync window.
 * Sends its progress until then to a caller that takes notifications.
 */
export async function executeTask(
  parts: HandlerParts,
  params: ExecuteTaskParams,
  { context, call }: { readonly context: RequestContext; readonly call: Call },
): Promise<ExecuteTaskResult> {
  const { agents, runner, emit } = parts;
  const { syncWindowMs, taskDeadlineMs } = parts.limits;
  if (!isKey(call.id)) throw new ZoneError("invalid_request", { problems: [{ pointer: "", message: notIdempotent }] });
  const agent = await agents.resolve(params.agent);
  if (!agent) throw new ZoneError("unknown_agent", { agent: params.agent ?? agents.defaultName });
  const { name, kind = "agent", progress } = agent;
  const { caller, traceparent, signal, notify } = context;
  const print = fingerprint(params, name);
  const { fire_id } = params;
  if (fire_id !== undefined && call.id !== fire_id) throw new ZoneError("invalid_params", { problems: [otherFire] });
  const fire = fire_id === undefined ? undefined : await parts.schedules.fires.begin(fire_id, caller);
  // Its owner did not write what a hook's sender did, or the author of a schedule whom its owner allowed to ask this agent.
  const isOthers = fire?.source === "hook" || fire?.written_by !== undefined;
  const offered = fire !== undefined && isOthers && { offered_by: `${fire.source}:${fire.name}` };
  const allowed = fire?.source === "schedule" && fire.agent === name && { is_allowed: true };
  const asked = {
    caller,
    key: JSON.stringify(call.id),
    fingerprint: print,
    // Prompts of its run find its cap by it.
    correlation_id: fire_id ?? call.correlationId,
    traceparent,
    agent: name,
    params: { ...paramsToKeep(params), ...offered, ...allowed },
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
    const onFailed = progressFailed(emit, task);
    const until = { runner, progress, sinceSeq: 0, waitMs: syncWindowMs, notify, signal, onFailed };
    task = await showUntilSettled(task, until);
  } else {
    // A caller that will poll its progress waits only shortly.
    const windowMs = progress === undefined ? syncWindowMs : Math.min(syncWindowMs, progressWindowMs[kind]);
    task = await runner.waitUntilSettled(task, windowMs, signal);
  }
  if (isFinal(task.state)) return taskResultOf(task, agents.defaultName);
  return (await inputRequired(parts, task, notify)) ?? { status: "accepted", task_id };
}

const otherFire = { pointer: "/fire_id", message: "must be the request id" };
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

const notIdempotent =
  "execute_task needs an id that is a string of at most 255 characters or a safe number: it is the idempotency key";
