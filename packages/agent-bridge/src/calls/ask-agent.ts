import { AgentFailure } from "../agent-failure.ts";
import { failure } from "../adapters/normalised.ts";
import type { Reading } from "../adapters/protocol-adapter.ts";
import type { CircuitPass } from "../breaker/circuit-breakers.ts";
import type { AgentRequest } from "../client/agent-client.ts";
import { asFailure } from "./as-failure.ts";
import { callHeaders } from "./call-headers.ts";
import { circuitVerdict } from "./circuit-verdict.ts";
import type { AskedRequest, OpenCall } from "./open-call.ts";
import { readStream, type ReadAnswer } from "./read-stream.ts";
import { readRetryAfter } from "./retry-after.ts";
import { readReply, writeBody } from "./translate.ts";

/**
 * The longest pause that an agent can request, milliseconds. Timers support at most 24 days and fire at once above
 * that.
 */
const longestRetryAfterMs = 86_400_000;

/** The outcome of one request. */
export interface Answered {
  readonly reading: Reading;
  /** The pause that the agent or its circuit requests, milliseconds; 0 without one. */
  readonly retryAfterMs: number;
  /** Duration, milliseconds. */
  readonly durationMs: number;
}

/**
 * Sends one request and reads the reply, within the deadline and if the agent's circuit admits it. Every error becomes
 * a reading with a failure, except that an aborted signal's reason is thrown.
 */
export async function askAgent(call: OpenCall, request: AskedRequest): Promise<Answered> {
  const { operation } = request;
  const { agent, options, task, time } = call;
  const startedAt = performance.now();
  const answered = (reading: Reading, retryAfterMs = 0): Answered => {
    const error = reading.state === "ended" ? reading.result.error : null;
    return {
      reading,
      retryAfterMs: Math.min(Math.max(retryAfterMs, error?.retryAfterMs ?? 0), longestRetryAfterMs),
      durationMs: performance.now() - startedAt,
    };
  };
  let pass: CircuitPass | undefined;
  try {
    options.signal.throwIfAborted();
    if (time.now() >= options.deadlineAt) throw pastDeadline(call);
    const body = writeBody(call, operation, request.make);
    pass = call.breakers.admit(agent);
    const sent = { body, headers: callHeaders(call, operation) };
    const { reading, headers } = await exchange(call, request, sent);
    pass[reading.state === "ended" && reading.result.error ? circuitVerdict[reading.result.error.kind] : "succeeded"]();
    return answered(reading, readRetryAfter(headers, time.now()));
  } catch (error) {
    if (options.signal.aborted) pass?.abandoned();
    options.signal.throwIfAborted();
    const failed = asFailure(error);
    pass?.[circuitVerdict[failed.kind]]();
    return answered(failure(task.task_id, failed));
  }
}

/** When the deadline cuts a call short, the circuit learns nothing: the agent had less than its timeout. */
async function exchange(
  call: OpenCall,
  request: AskedRequest,
  sent: Pick<AgentRequest, "body" | "headers">,
): Promise<ReadAnswer> {
  const { agent, client, options, time } = call;
  const remainingMs = options.deadlineAt - time.now();
  const isShort = remainingMs < agent.timeout_ms;
  const timeoutMs = isShort ? remainingMs : agent.timeout_ms;
  const whole = { agent, ...sent, timeoutMs, signal: options.signal };
  try {
    if (request.isStream === true) return await readStream(call, request, whole);
    const reply = await client.post(whole);
    return { reading: readReply(call, request, reply), headers: reply.headers };
  } catch (error) {
    if (isShort && error instanceof AgentFailure && error.kind === "call_timeout") throw pastDeadline(call, error);
    throw error;
  }
}

function pastDeadline({ agent }: Pick<OpenCall, "agent">, cause?: unknown): AgentFailure {
  const message = `The agent "${agent.name}" did not finish the task before its deadline.`;
  return new AgentFailure("deadline_exceeded", message, { cause });
}
