import type { TokenBuckets } from "@crosszone/service-kit";
import { failure, type Reading } from "../protocol/protocol-adapter.ts";
import { AgentFailure, asFailure } from "../protocol/agent-failure.ts";
import { sendRequest } from "./send-request.ts";
import { brokenOff } from "../client/request-failures.ts";
import type { AgentExchange } from "../events/agent-events.ts";
import type { OpenCall } from "./agent-caller.ts";
import { retryPause } from "./pauses.ts";

/**
 * Sends the task to the agent, and retries temporary failures at most `retry.max_retries` times, with growing pauses or the pause that the
 * agent asks for, and within the rate limit of `tokens`. Returns the last reading when no attempt is left or none fits before the deadline,
 * and an `answer_lost` when an agent with side effects has begun. `answered` identifies the question that the task answers.
 */
export async function sendTask(call: OpenCall, tokens: TokenBuckets, answered?: string): Promise<Reading> {
  const { options, time } = call;
  let before: Reading | undefined;
  for (;;) {
    call.attempts += 1;
    const { isStream, ...request } = taskRequest(call);
    const { reading, retryAfterMs, durationMs } = await sendRequest(call, { ...request, isStream, answered });
    const failed = reading.state === "ended" ? reading.result.error : null;
    // The agent was not called, and the failure that opened the circuit says more than that it is open.
    if (failed?.kind === "circuit_open") {
      call.attempts -= 1;
      return before ?? reading;
    }
    // A proxy in between may have broken the stream, so the next attempt does not stream.
    if (failed !== null && isStream) call.streams = false;
    if (failed !== null && wasNotRead(failed) && (isStream || call.isGuess)) {
      const unusable = await rediscover(call);
      if (unusable !== undefined) return unusable;
      if (isStream || !call.isGuess) {
        call.attempts -= 1;
        continue;
      }
    }
    const { retry } = call.agent;
    if (failed !== null && mayBeRead(failed)) call.isBegun = true;
    if (failed?.retryable === true && hasActed(call)) return failure(call.task.task_id, answerLost(call, failed));
    if (!failed?.retryable || call.attempts > retry.max_retries) return reading;
    const pauseMs = retryAfterMs + retryPause(retry, call.attempts, time.random());
    if (time.now() + pauseMs >= options.deadlineAt) return reading;
    reportRetry(call, { operation: "send", attempt: call.attempts, duration_ms: durationMs }, { failed, pauseMs });
    await time.sleep(pauseMs, options.signal);
    if (!(await takeToken(call, tokens))) return reading;
    before = reading;
    const unusable = await rediscover(call);
    if (unusable !== undefined) return unusable;
  }
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

function answerLost({ agent }: OpenCall, cause: AgentFailure): AgentFailure {
  const message = `The agent ${JSON.stringify(agent.name)} may have acted, but its answer is lost: ${cause.message}`;
  return new AgentFailure("answer_lost", message, { cause });
}

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

/** Fetches the card again if it could not be fetched before. Returns a failed reading when the card has no usable interface. */
async function rediscover(call: OpenCall): Promise<Reading | undefined> {
  try {
    await call.rediscover();
    return undefined;
  } catch (error) {
    call.options.signal.throwIfAborted();
    return failure(call.task.task_id, asFailure(error));
  }
}

/** Waits for a token. Returns false when none comes before the deadline. */
async function takeToken({ agent, options, time }: OpenCall, tokens: TokenBuckets): Promise<boolean> {
  for (;;) {
    const waitMs = tokens.take(agent.name);
    if (waitMs === 0) return true;
    if (time.now() + waitMs >= options.deadlineAt) return false;
    await time.sleep(waitMs, options.signal);
  }
}
