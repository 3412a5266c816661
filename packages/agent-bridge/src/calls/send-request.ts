import type { AgentErrorKind, AgentRecord } from "@crosszone/contracts";
import { ownList, ownMember } from "@crosszone/service-kit/json";
import { asksBack } from "@crosszone/service-kit/text";
import { readRetryAfter } from "@crosszone/service-kit/timing";
import { saysAnything } from "../adapters/output-of-task.ts";
import type { StreamNeed } from "../client/agent-client.ts";
import { isEventStream } from "../client/receive-answer.ts";
import {
  AgentFailure,
  type AgentReply,
  asFailure,
  failedWith,
  failureIn,
  type Reading,
} from "../protocol/protocol-adapter.ts";
import type { CircuitOutcome, CircuitPass } from "./circuit-breakers.ts";
import {
  callHeaders,
  type CallRequest,
  isStill,
  type OpenCall,
  readReply,
  withProgress,
  withRemoteId,
  writeBody,
} from "./open-call.ts";

/** Reads the events of the response to one request of a call, until one has ended the task and no more are on their way. */
class StreamReader {
  /** The call after the events so far. */
  call: OpenCall;
  readonly #request: CallRequest;
  readonly #readEvent: CallRequest["read"];
  #last: Reading | undefined;
  #isOpen = false;
  /** Why the first event that is no response can't be read. */
  #odd: unknown;
  #eventAt: number;

  constructor(call: OpenCall, request: CallRequest) {
    this.call = call;
    this.#request = request;
    this.#readEvent = call.adapter.createEventReader?.(call.task);
    this.#eventAt = call.time.now();
  }

  readonly onEvent = (body: Uint8Array): StreamNeed => {
    const { options, time } = this.call;
    const reading = this.#readingOf(body);
    if (reading === undefined) {
      if (time.now() >= options.deadlineAt) return "nothing";
      return this.#last !== undefined && this.#isEnd(this.#last) ? "rest" : "more";
    }
    this.#eventAt = time.now();
    if (this.#last !== undefined && this.#isEnd(this.#last) && !changes(this.#last, reading)) return "rest";
    this.#last = reading;
    if (reading.artifacts !== undefined) options.onArtifacts?.(reading.artifacts);
    if (reading.state === "working")
      this.call = withProgress(withRemoteId(this.call, reading.remoteId), reading.progress);
    if (time.now() >= options.deadlineAt) return "nothing";
    return this.#isEnd(reading) ? "rest" : "more";
  };

  /** Reads an event. One that is no response at all, such as a heartbeat, is left out, and reported once. */
  #readingOf(body: Uint8Array): Reading | undefined {
    const isResponse = isLikeResponse(body);
    if (!isResponse && this.#odd !== undefined) return undefined;
    try {
      const { operation } = this.#request;
      return readReply(this.call, { operation, read: this.#readEvent }, { status: 200, headers: {}, body });
    } catch (error) {
      if (isResponse) throw error;
      this.#odd = error;
      return undefined;
    }
  }

  /** Whether a reading ends the task. The question that this call answers does not. */
  #isEnd(reading: Reading): boolean {
    return reading.state === "ended" && reading.isOpen !== true && !isStill(this.#request.answered, reading);
  }

  readonly onOpen = (): void => {
    if (this.#request.operation !== "send") return;
    this.#isOpen = true;
    this.call = { ...this.call, isBegun: true };
  };

  /** A task whose id is known is polled after a while: its stream may have lost its end, and heartbeats could come for ever. */
  readonly staysOpen = (): boolean =>
    this.call.remoteId === undefined || this.call.time.now() - this.#eventAt < longestQuietMs;

  /** Returns the reading of a whole response. Throws an `AgentFailure` when it is a stream without events. */
  read(reply: AgentReply): Reading {
    if (!isEventStream(reply)) return readReply(this.call, this.#request, reply);
    if (this.#last !== undefined) return this.#last;
    if (this.#odd !== undefined) throw this.#odd;
    const who = JSON.stringify(this.call.agent.name);
    throw new AgentFailure("unreachable", `The agent ${who} ended its stream before the first event.`);
  }

  /**
   * Returns the reading of the last event before a failure; undefined when there is none or the stream broke between messages. An agent that
   * breaks its stream off, or is silent, before it has named its task may have begun: asked again, it would act twice. Servers on @a2a-js/sdk
   * open a stream with its first event.
   */
  lastBefore(failure: AgentFailure): Reading | undefined {
    const { kind, message } = failure;
    const isMessage = this.#last?.isOpen === true;
    const isSilent = kind === "call_timeout" && this.#request.operation === "send";
    const isBroken = kind === "unreachable" && this.#isOpen;
    if ((isSilent && this.#last === undefined) || (isBroken && (isMessage || this.#last === undefined))) {
      const advice = " Raise its timeout_ms, or let it send its task, or comments, while it works.";
      const cause = isSilent ? new AgentFailure(kind, message + advice, { cause: failure }) : failure;
      return failedWith(answerLost(this.call, cause));
    }
    return isMessage && kind !== "call_timeout" && kind !== "deadline_exceeded" ? undefined : this.#last;
  }
}

/** How long the stream of a task whose id is known can have heartbeats alone, milliseconds. */
const longestQuietMs = 300_000;

/** Whether an event may be a response of JSON-RPC. Some servers send heartbeats as events: `ping`, `{}` or `[DONE]`. */
function isLikeResponse(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return ['"jsonrpc"', '"result"', '"error"'].some((member) => bytes.includes(member));
}

/** The failure of an agent that has begun, and whose answer will not come. */
export function answerLost({ agent }: OpenCall, cause: AgentFailure): AgentFailure {
  const message = `The agent ${JSON.stringify(agent.name)} may have acted, but its answer is lost: ${cause.message}`;
  return new AgentFailure("answer_lost", message, { cause });
}

/**
 * Returns whether an event after the end of a task changes that end: it brings what was missing, or follows a question. A failed request, such
 * as an error of the server while it closes the stream, does not.
 */
function changes(end: Reading, next: Reading): boolean {
  const [before, after] = [end, next].map((one) => (one.state === "ended" ? one.failure?.kind : "none"));
  if (asksBack(before)) return after?.startsWith("rpc_") !== true;
  return before === after && (after !== undefined || (next.state === "ended" && hasShownOutput(next.output)));
}

/** Returns whether the output of a completed task has anything for a person; without an answer it is the task itself. */
export function hasShownOutput(output: unknown): boolean {
  const response = { parts: [{ text: ownMember(output, "response") }] };
  const said = ownMember(output, "response_source") === "history" ? [] : [response, ownMember(output, "message")];
  // Without a list of parts, an artifact is shown as it is.
  const isShown = (one: unknown): boolean => !Array.isArray(ownMember(one, "parts")) || saysAnything(one);
  return said.some(saysAnything) || ownList(output, "artifacts").some(isShown);
}

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
  const { agent, options, time } = call;
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
    const { onEvent, onOpen, staysOpen } = stream ?? {};
    const sent = { agent, body, headers, timeoutMs, signal, onEvent, onOpen, staysOpen, held };
    const reply = await call.client.send(sent);
    askedMs = readRetryAfter(reply.headers, time.now()) ?? 0;
    reading = stream?.read(reply) ?? readReply(call, request, reply);
  } catch (error) {
    const failure = failureOf(error, call, remainingMs);
    reading = stream?.lastBefore(failure) ?? failedWith(failure);
  }
  const failed = failureIn(reading);
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
