import type { AgentErrorKind, AgentRecord } from "@crosszone/contracts";
import { failure, type Reading } from "../protocol/protocol-adapter.ts";
import { AgentFailure, asFailure } from "../protocol/agent-failure.ts";
import type { CircuitOutcome, CircuitPass } from "../limits/circuit-breakers.ts";
import type { CallRequest, OpenCall } from "./open-call.ts";
import { StreamReader } from "./read-stream.ts";
import { callHeaders, readReply, writeBody } from "./translate.ts";

/**
 * What a failure says about the agent's health: `failed` when unhealthy, `succeeded` when alive, `abandoned` when
 * unknown.
 */
const circuitVerdict: Readonly<Record<AgentErrorKind, CircuitOutcome>> = {
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
  card_refused: "abandoned",
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

export interface Answered {
  /** The call after the request. */
  readonly call: OpenCall;
  readonly reading: Reading;
  /** The pause that the agent or its circuit requests, milliseconds; 0 without one. */
  readonly retryAfterMs: number;
  readonly durationMs: number;
}

/**
 * Sends one request and reads the reply or the stream of events, within the deadline and if the agent's circuit admits it. Every error
 * becomes a reading with a failure, and an aborted call a reading `canceled`. For a broken stream, the reading is that of the last event.
 */
export async function sendRequest(call: OpenCall, request: CallRequest): Promise<Answered> {
  const { operation } = request;
  const { agent, options, task, time } = call;
  const { signal, held } = options;
  const startedAt = performance.now();
  const remainingMs = options.deadlineAt - time.now();
  const stream = request.isStream === true ? new StreamReader(call, request) : undefined;
  let pass: CircuitPass | undefined;
  let reading: Reading;
  let askedMs = 0;
  try {
    signal.throwIfAborted();
    if (remainingMs <= 0) throw pastDeadline(agent);
    const body = writeBody(call, operation, request.make);
    pass = call.breakers.admit(agent, operation !== "send");
    const [headers, timeoutMs] = [callHeaders(call, operation), Math.min(remainingMs, agent.timeout_ms)];
    const { onEvent, onOpen } = stream ?? {};
    const reply = await call.client.send({ agent, body, headers, timeoutMs, signal, onEvent, onOpen, held });
    askedMs = readRetryAfter(reply.headers, time.now());
    reading = stream?.read(reply) ?? readReply(call, request, reply);
  } catch (error) {
    reading = stream?.lastBefore(error) ?? failure(task.task_id, failureOf(error, call, remainingMs));
  }
  const failed = reading.state === "ended" ? reading.result.error : null;
  // When the deadline cuts a call short, the circuit learns nothing: the agent had less than its timeout.
  pass?.(signal.aborted ? "abandoned" : failed ? circuitVerdict[failed.kind] : "succeeded");
  return {
    call: stream?.call ?? call,
    reading,
    retryAfterMs: Math.min(Math.max(askedMs, failed?.retryAfterMs ?? 0), longestRetryAfterMs),
    durationMs: performance.now() - startedAt,
  };
}

function failureOf(error: unknown, { agent, options }: OpenCall, remainingMs: number): AgentFailure {
  if (options.signal.aborted) return new AgentFailure("canceled", "The call was aborted.");
  const isShort = remainingMs < agent.timeout_ms;
  const isLate = isShort && error instanceof AgentFailure && error.kind === "call_timeout";
  return isLate ? pastDeadline(agent, error) : asFailure(error);
}

function pastDeadline({ name }: AgentRecord, cause?: unknown): AgentFailure {
  const message = `The agent "${name}" did not finish the task before its deadline.`;
  return new AgentFailure("deadline_exceeded", message, { cause });
}

/**
 * Parses `Retry-After`, seconds or a date, to milliseconds from now; 0 when absent or invalid. A date is relative to
 * the agent's own clock if the agent sends a `Date`. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
function readRetryAfter(headers: Readonly<Record<string, string | undefined>>, now: number): number {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with the day's name; Date.parse accepts other texts, too.
  if (!/^[A-Z][a-z]+, /.test(text)) return 0;
  const until = Date.parse(text);
  const from = Date.parse(headers["date"] ?? "");
  return Number.isNaN(until) ? 0 : Math.max(0, until - (Number.isNaN(from) ? now : from));
}
