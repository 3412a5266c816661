import { ownMember } from "@crosszone/service-kit/json";
import type { NormalizedResult } from "../protocol/protocol-adapter.ts";
import { AgentFailure, asFailure } from "../protocol/agent-failure.ts";
import { sendRequest } from "./send-request.ts";
import { type OpenCall, pause, type Step, withProgress } from "./open-call.ts";
import { hasAnswer } from "./read-stream.ts";
import { callHeaders, isStill, readReply, writeBody } from "./translate.ts";
import { reportRetry } from "./send-task.ts";

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
export async function followTask(working: OpenCall, answered?: string): Promise<Step> {
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
    const { error } = reading.result;
    if (error?.code === isUnknown && error.kind.startsWith("rpc_")) return { call, result: lost(call, error) };
    if (!error?.retryable) return { call, result: reading.result };
    const exchange = { operation: "poll" as const, attempt: call.attempts, duration_ms: durationMs };
    reportRetry(call, exchange, { failed: error, pauseMs: Math.max(requestedMs, pollPause(polls + 1, 0)) });
  }
}

/** Polls a task that was completed without an answer once more: some agents store the answer after the status. */
export async function lookAgain({ call, result }: Step): Promise<Step> {
  const { adapter, options, task, time, remoteId = ownMember(result?.output, "id") } = call;
  const make = (): unknown => adapter.toPoll?.(task, String(remoteId));
  const isOver = result?.error !== null || hasAnswer(result.output) || time.now() >= options.deadlineAt;
  if (isOver || typeof remoteId !== "string" || adapter.toPoll === undefined) return { call, result };
  await pause(call, pollPause(0, time.random()));
  const { reading } = await sendRequest(call, { operation: "poll", make });
  return { call, result: reading.state === "ended" && reading.result.error === null ? reading.result : result };
}

function lost({ agent, task }: OpenCall, { code, data }: AgentFailure): NormalizedResult {
  const message = `The agent ${JSON.stringify(agent.name)} has lost this task: it no longer knows it.`;
  const error = new AgentFailure("task_lost", message, { code, data });
  return { task_id: task.task_id, status: "error", output: null, error };
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
export async function stopAtAgent(call: OpenCall): Promise<void> {
  const { adapter, agent, client, remoteId, task } = call;
  if (adapter.toCancel === undefined || remoteId === undefined) return;
  try {
    const body = writeBody(call, "cancel", () => adapter.toCancel?.(task, remoteId));
    const headers = callHeaders(call, "cancel");
    const reply = await client.send({ agent, body, headers, timeoutMs, signal: AbortSignal.timeout(timeoutMs * 2) });
    const reading = readReply(call, { operation: "cancel" }, reply);
    const error = reading.state === "ended" ? reading.result.error : null;
    if (error === null || error.kind.startsWith("task_")) return;
    if (error.kind === "rpc_error" && error.code === isOverAlready) return;
    reportNotStopped(call, error);
  } catch (error) {
    reportNotStopped(call, asFailure(error));
  }
}

/** The agent may continue, but its result is discarded. */
const reportNotStopped = ({ emit, ids }: OpenCall, { kind, message }: AgentFailure): void =>
  emit("agent_cancel_failed", { ...ids, kind, because: message });
