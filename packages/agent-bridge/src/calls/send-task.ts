import type { AgentRetry } from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { brokenOff } from "../client/create-agent-client.ts";
import type { AgentExchange } from "../protocol/agent-events.ts";
import { hitlResponseIn, isResponseTo } from "../protocol/hitl-extension.ts";
import { type AgentFailure, asFailure, failedWith, failureIn, type Reading } from "../protocol/protocol-adapter.ts";
import { isStill, type OpenCall, pause, reopenCall, withProgress, withRemoteId } from "./open-call.ts";
import { answerLost, hasShownOutput, sendRequest } from "./send-request.ts";

/** Whether the agent has accepted the task, so that it is polled instead of sent. */
const isAccepted = ({ remoteId, adapter }: OpenCall): boolean => remoteId !== undefined && adapter.toPoll !== undefined;

/**
 * Reads the task to continue, before the message is sent. Returns what identifies the question that it waits with, or what it does instead
 * when the message must not be sent. A send that does not block can be answered with the task as it was before the message: without the question's
 * id the old question would be read as a new one. A structured answer is only for the request that it answers: the agent may have got an
 * answer from elsewhere, or from this call before its process crashed.
 */
export async function openQuestion(
  call: OpenCall,
): Promise<{ readonly question?: string | undefined; readonly instead?: OpenCall }> {
  const { adapter, agent, options, task, time } = call;
  const { open_task_id } = task;
  if (isAccepted(call) || open_task_id === undefined || adapter.toPoll === undefined) return {};
  const make = (): unknown => adapter.toPoll?.(task, open_task_id);
  const response = hitlResponseIn(task);
  for (let polls = 1; ; polls += 1) {
    const { reading } = await sendRequest(call, { operation: "poll", make });
    // The agent went on by itself, such as after an authorization: its answer has not been read yet.
    const isAnswered = reading.state === "ended" && reading.failure === undefined && hasShownOutput(reading.output);
    if (isAnswered) return { instead: accepted(call, reading, undefined) };
    if (response === undefined) return { question: reading.questionId };
    const error = failureIn(reading);
    if (isResponseTo(response, ownMember(error?.data, "asks"))) return { question: reading.questionId };
    const isLast = polls > agent.retry.max_retries || options.signal.aborted || time.now() >= options.deadlineAt;
    if (error?.retryable !== true || isLast) return { instead: accepted(call, reading, undefined) };
    await pause(call, retryPause(agent.retry, polls, time.random()));
  }
}

/**
 * Sends the task to the agent unless it has accepted the task, and retries temporary failures at most `retry.max_retries` times, with
 * growing pauses or the pause that the agent asks for, and within the rate limit of retries. Returns the last result when no attempt is left
 * or none fits before the deadline, an `answer_lost` when an agent with side effects has begun, and no result when the agent works on the
 * task. `question` identifies the question that the task answers.
 */
export async function sendTask(opened: OpenCall, question?: string): Promise<OpenCall> {
  const { options, time } = opened;
  let call = opened;
  let before: Reading | undefined;
  if (isAccepted(call)) return call;
  for (;;) {
    const request = taskRequest(call);
    const sent = await sendRequest({ ...call, attempts: call.attempts + 1 }, { ...request, answered: question });
    const { reading, retryAfterMs, durationMs } = sent;
    call = sent.call;
    const failed = failureIn(reading);
    if (failed === undefined) return accepted(call, reading, question);
    // The agent was not called, and the failure that opened the circuit says more than that it is open.
    if (failed.kind === "circuit_open")
      return accepted({ ...call, attempts: call.attempts - 1 }, before ?? reading, question);
    // A proxy in between may refuse streams, so the next attempt does not stream.
    if (request.isStream) call = { ...call, streams: false };
    if (wasNotRead(failed) && (request.isStream || call.isGuess)) {
      call = await reopened(call);
      if (call.ended !== undefined) return call;
      if (request.isStream || !call.isGuess) {
        call = { ...call, attempts: call.attempts - 1 };
        continue;
      }
    }
    const { retry } = call.agent;
    if (mayBeRead(failed)) call = { ...call, isBegun: true };
    if (failed.retryable && hasActed(call)) return { ...call, ended: failedWith(answerLost(call, failed)) };
    const pauseMs = retryAfterMs + retryPause(retry, call.attempts, time.random());
    const isLast = !failed.retryable || call.attempts > retry.max_retries || time.now() + pauseMs >= options.deadlineAt;
    if (isLast) return accepted(call, reading, question);
    reportRetry(call, { operation: "send", attempt: call.attempts, duration_ms: durationMs }, { failed, pauseMs });
    await pause(call, pauseMs);
    if (!(await takeToken(call)) || options.signal.aborted) return accepted(call, reading, question);
    before = reading;
    call = await reopened(call);
    if (call.ended !== undefined) return call;
  }
}

/**
 * Returns the pause before the next attempt, milliseconds: random, up to twice the previous limit, so that callers that
 * failed together spread out. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ ("full jitter")
 */
function retryPause({ base_ms, max_ms }: AgentRetry, attempts: number, random: number): number {
  return Math.floor(random * Math.min(max_ms, base_ms * 2 ** (attempts - 1)));
}

/** Returns the call after the task was sent. A task that still waits with the question is followed. */
function accepted(call: OpenCall, reading: Reading, question: string | undefined): OpenCall {
  if (reading.state === "working") return withProgress(withRemoteId(call, reading.remoteId), reading.progress);
  if (isStill(question, reading)) return withRemoteId(call, call.task.open_task_id ?? "");
  return { ...call, ended: reading };
}

/**
 * Streams only the first message of a task. Servers on @a2a-js/sdk 1.3 refuse the stream of a later message, after the agent has read it, if
 * the agent does not send its task again.
 */
function taskRequest({ adapter, streams, task }: OpenCall) {
  const { toStream } = adapter;
  const isStream = streams && toStream !== undefined && task.open_task_id === undefined;
  return { operation: "send" as const, isStream, make: () => (isStream ? toStream(task) : adapter.toRequest(task)) };
}

/** Reports that a request failed and is repeated after a pause. */
export const reportRetry = (
  { emit, ids }: OpenCall,
  exchange: AgentExchange,
  { failed, pauseMs }: { readonly failed: AgentFailure; readonly pauseMs: number },
): void =>
  emit("agent_call_retried", {
    ...ids,
    ...exchange,
    kind: failed.kind,
    because: failed.message,
    pause_ms: Math.round(pauseMs),
  });

/** Whether the task may have had an effect outside of Crosszone, so that it must not be sent again. */
export const hasActed = ({ agent, isBegun }: OpenCall): boolean => agent.side_effects === true && isBegun === true;

/** HTTP statuses of a server that has not processed the request. */
const unprocessed: ReadonlySet<number | undefined> = new Set([408, 425, 503]);

/** Returns whether the agent may have read the request, although no answer came: it was late, or the connection or a proxy broke. */
function mayBeRead({ kind, code, cause }: AgentFailure): boolean {
  if (kind === "http_unavailable") return !unprocessed.has(code);
  return (
    kind === "call_timeout" || (kind === "unreachable" && brokenOff.test((cause as NodeJS.ErrnoException)?.code ?? ""))
  );
}

/** Returns whether the agent did not read the request (method not found, unsupported operation, HTTP error), so another way can be tried. */
function wasNotRead({ kind, code }: AgentFailure): boolean {
  if (kind === "rpc_error") return code === -32_601 || code === -32_004;
  return kind === "http_error";
}

/** Fetches the card again if it could not be fetched before. The call has failed when the card has no usable interface. */
const reopened = (call: OpenCall): Promise<OpenCall> =>
  reopenCall(call).catch((error: unknown) => ({ ...call, ended: failedWith(asFailure(error)) }));

/** Waits for a token. Returns false when none comes before the deadline. */
async function takeToken(call: OpenCall): Promise<boolean> {
  const { agent, options, time, tokens } = call;
  for (;;) {
    const waitMs = tokens.take(agent.name);
    if (waitMs === 0) return true;
    if (options.signal.aborted || time.now() + waitMs >= options.deadlineAt) return false;
    await pause(call, waitMs);
  }
}
