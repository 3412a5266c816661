import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import { ownMember } from "@crosszone/service-kit/json";
import { asksBack } from "@crosszone/service-kit/text";
import { steadyNow, systemClock, unlessAborted } from "@crosszone/service-kit/timing";
import type { Adapters } from "../adapters/adapters.ts";
import type { AgentClient } from "../client/agent-client.ts";
import type { BridgeEmit } from "../protocol/agent-events.ts";
import { hitlResponseIn } from "../protocol/hitl-extension.ts";
import {
  AgentFailure,
  asFailure,
  type EndedReading,
  failedWith,
  failureIn,
  ProtocolTranslationError,
} from "../protocol/protocol-adapter.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import { createDiscovery } from "./discovery.ts";
import {
  type AgentCaller,
  type CallEnd,
  callHeaders,
  type CallTime,
  isStill,
  omittedFiles,
  type OpenCall,
  openCall,
  pause,
  readReply,
  withProgress,
  writeBody,
} from "./open-call.ts";
import { hasShownOutput, sendRequest } from "./send-request.ts";
import { hasActed, openQuestion, reportRetry, sendTask } from "./send-task.ts";

const firstPollMs = 250;
const longestPollMs = 5_000;

/**
 * Returns the pause before a poll, milliseconds: a quarter of a second at first, five seconds at the end, with jitter.
 * Each is half as long again as the previous one, so an answer waits at most half of the time that it took.
 */
function pollPause(polls: number, random: number): number {
  return Math.floor(Math.min(longestPollMs, firstPollMs * 1.5 ** polls) * (1 - random / 4));
}

/** TaskNotFoundError: https://a2a-protocol.org/v0.3.0/specification/#82-a2a-specific-errors */
const isUnknown = -32_001;

/**
 * Follows a task that the agent works on until it ends or its deadline passes. A poll that fails temporarily is repeated, but not when the
 * agent no longer knows the task. A task that still waits with the question `answered` is polled again too.
 */
async function followTask(working: OpenCall, answered?: string): Promise<OpenCall> {
  const { adapter, options, task, time, remoteId = "" } = working;
  let call = await followStream(working, remoteId, answered);
  // Undefined only for a faulty adapter, which says that the agent works but can't poll it. Reported as a translation
  // error.
  const make = (): unknown => adapter.toPoll?.(task, remoteId);
  const request = { operation: "poll" as const, make, read: adapter.createEventReader?.(task) };
  let requestedMs = 0;
  for (let polls = 0; ; polls += 1) {
    const remainingMs = options.deadlineAt - time.now();
    const pauseMs = Math.max(requestedMs, pollPause(polls, time.random()));
    if (remainingMs > 0) await pause(call, Math.min(pauseMs, remainingMs));
    const { reading, retryAfterMs, durationMs } = await sendRequest(call, request);
    requestedMs = retryAfterMs;
    if (reading.state === "working") {
      call = withProgress(call, reading.progress);
      continue;
    }
    if (isStill(answered, reading)) continue;
    const { failure: failed } = reading;
    if (failed?.code === isUnknown && failed.kind.startsWith("rpc_")) return { ...call, ended: lost(call, failed) };
    if (!failed?.retryable) return { ...call, ended: reading };
    const exchange = { operation: "poll" as const, attempt: call.attempts, duration_ms: durationMs };
    reportRetry(call, exchange, { failed, pauseMs: Math.max(requestedMs, pollPause(polls + 1, 0)) });
  }
}

/** Polls a task that was completed without an answer once more: some agents store the answer after the status. */
async function lookAgain(call: OpenCall): Promise<OpenCall> {
  const { adapter, options, task, time, ended, remoteId = ownMember(ended?.output, "id") } = call;
  const make = (): unknown => adapter.toPoll?.(task, String(remoteId));
  const isDone = ended === undefined || ended.failure !== undefined || hasShownOutput(ended.output);
  const isOver = isDone || time.now() >= options.deadlineAt;
  if (isOver || typeof remoteId !== "string" || adapter.toPoll === undefined) return call;
  await pause(call, pollPause(0, time.random()));
  const { reading } = await sendRequest(call, { operation: "poll", make });
  return reading.state === "ended" && reading.failure === undefined ? { ...call, ended: reading } : call;
}

function lost({ agent }: OpenCall, { code, data }: AgentFailure): EndedReading {
  const message = `The agent ${JSON.stringify(agent.name)} has lost this task: it no longer knows it.`;
  return failedWith(new AgentFailure("task_lost", message, { code, data }));
}

/**
 * Subscribes to the events of a running task and reports its progress, until an event ends the task. A broken stream is resumed as long as
 * it reports new progress. The caller polls the stored task afterwards, because a stream may have missed a part of it.
 */
async function followStream(working: OpenCall, remoteId: string, answered: string | undefined): Promise<OpenCall> {
  const { adapter, task, time, options } = working;
  const { toSubscribe } = adapter;
  let call = working;
  if (toSubscribe === undefined) return call;
  while (call.streams) {
    const make = (): unknown => toSubscribe(task, remoteId);
    const sent = await sendRequest(call, { operation: "subscribe", make, isStream: true, answered });
    const isCut = sent.reading.state === "working" && sent.call.progress !== call.progress;
    call = sent.call;
    if (!isCut) break;
    await pause(call, Math.min(pollPause(0, time.random()), Math.max(0, options.deadlineAt - time.now())));
  }
  return call;
}

/** Timeout of the request to stop a task, milliseconds. */
const timeoutMs = 5_000;

/** TaskNotCancelableError: https://a2a-protocol.org/v0.3.0/specification/#82-a2a-specific-errors */
const isOverAlready = -32_002;

/**
 * Asks the agent to stop the task, if it has accepted it and its protocol supports that. One best-effort attempt;
 * never throws. An agent that says the task is already over counts as success.
 */
async function stopAtAgent(call: OpenCall): Promise<void> {
  const { adapter, agent, client, remoteId, task } = call;
  if (adapter.toCancel === undefined || remoteId === undefined) return;
  try {
    const body = writeBody(call, "cancel", () => adapter.toCancel?.(task, remoteId));
    const headers = callHeaders(call, "cancel");
    const reply = await client.send({ agent, body, headers, timeoutMs, signal: AbortSignal.timeout(timeoutMs * 2) });
    const reading = readReply(call, { operation: "cancel" }, reply);
    const error = failureIn(reading);
    if (error === undefined || error.kind.startsWith("task_")) return;
    if (error.kind === "rpc_error" && error.code === isOverAlready) return;
    reportNotStopped(call, error);
  } catch (error) {
    reportNotStopped(call, asFailure(error));
  }
}

/** The agent may continue, but its result is discarded. */
const reportNotStopped = ({ emit, ids }: OpenCall, { kind, message }: AgentFailure): void =>
  emit("agent_cancel_failed", { ...ids, kind, because: message });

export interface AgentCallerDeps {
  readonly adapters: Adapters;
  readonly client: AgentClient;
  readonly breakers: CircuitBreakers;
  readonly emit: BridgeEmit;
  /** A rate limit of retries, by agent name; 50 at once and ten a second when absent. Retries wait for a token. */
  readonly retryTokens?: TokenBuckets;
  readonly time?: CallTime;
}

const realTime: CallTime = { ...systemClock, now: steadyNow, random: Math.random };

/**
 * Creates the caller. It sends a task to an agent, retries temporary failures, and follows the task until it ends. When the agent rejects
 * how it was called, the caller tries the other ways (`nextWay`).
 */
export function createAgentCaller(deps: AgentCallerDeps): AgentCaller {
  const { adapters, client, breakers, emit, retryTokens, time = realTime } = deps;
  const tokens = retryTokens ?? createTokenBuckets({ capacity: 50, perMinute: 600 });
  const discovery = createDiscovery(client, adapters, time.now);
  const parts = { client, breakers, discovery, tokens, emit, time };

  const call: AgentCaller["call"] = async (task, agent, options) => {
    const startedAt = performance.now();
    const { run_id, task_id, agent_name, correlation_id } = task;
    const { signal, traceparent } = options;
    const ids = { run_id, task_id, agent_name, correlation_id, traceparent, protocol: agent.protocol };
    let now: OpenCall | undefined;
    const effort = () => ({
      ...(now?.ids ?? ids),
      attempt: now?.attempts ?? 0,
      duration_ms: performance.now() - startedAt,
    });
    const end = ({ output, failure }: EndedReading): CallEnd => {
      const fields = effort();
      if (failure === undefined) emit("agent_call_ended", { ...fields, status: "success", output });
      // Already reported, with the response.
      else if (failure instanceof ProtocolTranslationError)
        emit("agent_call_ended", { ...fields, status: "error", kind: failure.kind });
      else if (asksBack(failure.kind)) emit("agent_call_ended", { ...fields, status: "asked", kind: failure.kind });
      else emit("agent_call_failed", { ...fields, kind: failure.kind, error: failure });
      const filesLeftOut = now && omittedFiles(task, now.task);
      return { output, failure, attempts: fields.attempt, filesLeftOut };
    };
    try {
      now = await openCall({ ...parts, ids, task, registered: agent, options });
      for (;;) {
        const { question, instead } = await openQuestion(now);
        now = instead ?? (await sendTask(now, question));
        signal.throwIfAborted();
        if (now.ended === undefined) {
          // The agent works on the task, and the next process has to find it there.
          if (now.stored !== undefined) await unlessAborted(now.stored, signal);
          now = await followTask(now, question);
          signal.throwIfAborted();
        }
        const next = nextWay(await lookAgain(now));
        signal.throwIfAborted();
        now = next;
        if (now.ended === undefined) continue;
        if (now.ended.failure?.kind === "deadline_exceeded") void stopAtAgent(now);
        return end(now.ended);
      }
    } catch (reason) {
      if (now === undefined && !signal.aborted) return end(failedWith(asFailure(reason)));
      if (reason instanceof AgentFailure && now !== undefined) void stopAtAgent(now);
      emit("agent_call_aborted", { ...effort(), because: reason instanceof Error ? reason.message : String(reason) });
      throw reason;
    }
  };
  return { call };
}

/**
 * Returns the call as it is tried next after its end, or the ended call when there is no other way:
 * - An agent that refuses to continue the task that waits for an answer gets the message as a new task, but never a structured answer.
 * - An agent that rejects the files of a task gets the message without them.
 * - An agent that refuses the context id, which it has forgotten or wants to choose itself, gets the message in a new context.
 * - An agent whose protocol is `auto` is called in the other version of A2A when it rejects the method or version: its card may be outdated
 *   or wrong.
 */
function nextWay(call: OpenCall): OpenCall {
  const { task, ids, adapter, discovery, otherVersion, ended } = call;
  const error = ended?.failure;
  if (ended === undefined || error === undefined) return call;
  const isWrongVersion = isOtherVersion(error) && !hasActed(call);
  const { open_task_id, ...asNew } = task;
  const isText = hitlResponseIn(task) === undefined;
  const isRefused = error.kind === "rpc_error" && !isWrongVersion && call.remoteId === undefined;
  if (open_task_id !== undefined && isRefused && isText) return { ...call, task: asNew, ended: undefined };
  const again = { ...call, streams: call.offersStreams, remoteId: undefined, ended: undefined };
  if (rejectsFiles(call, error)) return { ...again, task: { ...task, files: [] } };
  const { context_id, ...inNewContext } = task;
  if (context_id !== undefined && isText && refusesContext(call, error)) return { ...again, task: inNewContext };
  if (call.registered.protocol !== "auto" || !isWrongVersion) return call;
  if (otherVersion !== undefined) return { ...call, ...otherVersion };
  discovery.forget(call.agent);
  const other = discovery.otherVersion(adapter);
  const next = { adapter: other, ids: { ...ids, protocol: other.protocol }, ended: undefined };
  return { ...call, ...next, otherVersion: { adapter, ids, ended } };
}

/** Method not found, A2A's VersionNotSupported, or a server that refuses the method or version in words: the agent did not accept the task. */
function isOtherVersion({ kind, code = 0, message, data }: AgentFailure): boolean {
  if (kind === "rpc_error" && (code === -32_601 || code === -32_009)) return true;
  const isRefusal = kind === "rpc_error" ? code === -32_600 : kind === "http_error" && refusals.has(code);
  return isRefusal && aboutMethod.test(`${message} ${JSON.stringify(data)}`);
}

/** HTTP statuses of a server that does not take the request as it is. */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
const aboutMethod =
  /\b(message\/(send|stream)|(Send|SendStreaming)Message|tasks\/send)\b|\bmethod\b.{0,80}\b(unknown|unsupported|invalid|expected|not (found|supported|allowed|known))\b|\b(unknown|unsupported|invalid|no such) (method|(protocol |a2a )?version)\b/i;

/** A2A's ContentTypeNotSupportedError, or the agent's words about a part. */
function rejectsFiles(call: OpenCall, { kind, code, message }: AgentFailure): boolean {
  if (hasActed(call) || (call.task.files ?? []).length === 0) return false;
  if (kind === "rpc_error" && code === -32_005) return true;
  if (!rejections.has(kind) || (kind !== "rpc_error" && call.agent.side_effects === true)) return false;
  return aboutFiles.test(message) && /not (be )?(supported|accepted|allowed)|unsupported/i.test(message);
}

/** TaskNotFoundError of a message that continues no task, or the agent's words about the context. */
function refusesContext(call: OpenCall, { kind, code, message, data }: AgentFailure): boolean {
  if (hasActed(call) || call.task.open_task_id !== undefined) return false;
  if (kind === "rpc_error" && code === -32_001 && call.remoteId === undefined) return true;
  const isRefusal = kind === "rpc_error" || kind === "http_error";
  return aboutContext.test(isRefusal ? `${message} ${JSON.stringify(data)}` : kind === "task_rejected" ? message : "");
}

const aboutContext =
  /\bcontext[ _-]?ids?\b|\b(unknown|invalid|no such|expired) (context|session|conversation)\b|\b(context|session|conversation)\b.{0,80}\b(not found|unknown|invalid|expired|not exist)/i;
const aboutFiles = /\b(files?|attachments?|parts?|(media|mime|content)[ -]?types?)\b/i;
const rejections: ReadonlySet<string> = new Set(["rpc_error", "task_failed", "task_rejected"]);
