import type { AgentErrorKind } from "@crosszone/contracts";
import { failure, type Reading } from "../protocol/protocol-adapter.ts";
import { AgentFailure, asFailure } from "../protocol/agent-failure.ts";
import type { CircuitPass } from "../limits/circuit-breakers.ts";
import type { AgentRequest } from "../client/agent-client.ts";
import type { CallRequest, OpenCall } from "./agent-caller.ts";
import { type ReadAnswer, readStream } from "./read-stream.ts";
import { readRetryAfter } from "./pauses.ts";
import { callHeaders, readReply, writeBody } from "./translate.ts";

/**
 * What a failure says about the agent's health: `failed` when unhealthy, `succeeded` when alive, `abandoned` when
 * unknown.
 */
const circuitVerdict: Readonly<Record<AgentErrorKind, keyof CircuitPass>> = {
  unreachable: "failed",
  call_timeout: "failed",
  http_unavailable: "failed",
  rpc_unavailable: "failed",
  not_json: "failed",
  invalid_envelope: "failed",
  invalid_response: "failed",
  redirect_refused: "succeeded",
  http_error: "succeeded",
  unauthorized: "succeeded",
  response_too_large: "succeeded",
  rpc_error: "succeeded",
  task_failed: "succeeded",
  task_canceled: "succeeded",
  task_rejected: "succeeded",
  task_state_unknown: "succeeded",
  task_lost: "succeeded",
  answer_lost: "failed",
  input_required: "succeeded",
  auth_required: "succeeded",
  rate_limited: "abandoned",
  secret_unavailable: "abandoned",
  address_refused: "abandoned",
  deadline_exceeded: "abandoned",
  circuit_open: "abandoned",
  canceled: "abandoned",
  internal: "abandoned",
  invalid_task: "abandoned",
  unknown_agent: "abandoned",
  agent_disabled: "abandoned",
  protocol_unsupported: "abandoned",
};

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
export async function sendRequest(call: OpenCall, request: CallRequest): Promise<Answered> {
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
    pass = call.breakers.admit(agent, operation !== "send");
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
  request: CallRequest,
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
