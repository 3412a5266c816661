import { ownList, ownMember } from "@crosszone/service-kit/json";
import { saysAnything } from "../adapters/jsonrpc/spoken.ts";
import type { StreamNeed } from "../client/agent-client.ts";
import { isEventStream } from "../client/receive-answer.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { type AgentReply, failure, type Reading } from "../protocol/protocol-adapter.ts";
import { type CallRequest, type OpenCall, withProgress, withRemoteId } from "./open-call.ts";
import { isStill, readReply } from "./translate.ts";

/** Reads the events of the response to one request of a call, until one has ended the task and no more are on their way. */
export class StreamReader {
  /** The call after the events so far. */
  call: OpenCall;
  readonly #request: CallRequest;
  readonly #readEvent: CallRequest["read"];
  #last: Reading | undefined;
  #isOpen = false;

  constructor(call: OpenCall, request: CallRequest) {
    this.call = call;
    this.#request = request;
    this.#readEvent = call.adapter.createEventReader?.(call.task);
  }

  readonly onEvent = (body: Uint8Array): StreamNeed => {
    const { operation } = this.#request;
    const { options, time } = this.call;
    const reading = readReply(this.call, { operation, read: this.#readEvent }, { status: 200, headers: {}, body });
    if (this.#last !== undefined && this.#isEnd(this.#last) && !changes(this.#last, reading)) return "rest";
    this.#last = reading;
    if (reading.artifacts !== undefined) options.onArtifacts?.(reading.artifacts);
    if (reading.state === "working")
      this.call = withProgress(withRemoteId(this.call, reading.remoteId), reading.progress);
    if (time.now() >= options.deadlineAt) return "nothing";
    return this.#isEnd(reading) ? "rest" : "more";
  };

  /** Whether a reading ends the task. The question that this call answers does not. */
  #isEnd(reading: Reading): boolean {
    return reading.state === "ended" && reading.isOpen !== true && !isStill(this.#request.answered, reading);
  }

  readonly onOpen = (): void => {
    if (this.#request.operation !== "send") return;
    this.#isOpen = true;
    this.call = { ...this.call, isBegun: true };
  };

  /** Returns the reading of a whole response. Throws an `AgentFailure` when it is a stream without events. */
  read(reply: AgentReply): Reading {
    if (!isEventStream(reply)) return readReply(this.call, this.#request, reply);
    if (this.#last !== undefined) return this.#last;
    const who = JSON.stringify(this.call.agent.name);
    throw new AgentFailure("unreachable", `The agent ${who} ended its stream before the first event.`);
  }

  /**
   * Returns the reading of the last event before an error; undefined when there is none or the stream broke between messages. An agent that
   * opens its stream and breaks it off before the first event has begun, and failed: it would fail again, or act twice.
   */
  lastBefore(error: unknown): Reading | undefined {
    const kind = error instanceof AgentFailure ? error.kind : undefined;
    if (this.#isOpen && this.#last === undefined && kind === "unreachable")
      return failure(this.call.task.task_id, answerLost(this.call, error as AgentFailure));
    return this.#last?.isOpen === true && kind !== "call_timeout" ? undefined : this.#last;
  }
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
  const [before, after] = [end, next].map((one) => (one.state === "ended" ? one.result.error?.kind : "none"));
  if (before === "input_required" || before === "auth_required") return after?.startsWith("rpc_") !== true;
  return before === after && (after !== undefined || (next.state === "ended" && hasAnswer(next.result.output)));
}

/** Returns whether the output of a completed task has anything for a person; without an answer it is the task itself. */
export function hasAnswer(output: unknown): boolean {
  const response = { parts: [{ text: ownMember(output, "response") }] };
  const said = ownMember(output, "response_source") === "history" ? [] : [response, ownMember(output, "message")];
  // Without a list of parts, an artifact is shown as it is.
  const isShown = (one: unknown): boolean => !Array.isArray(ownMember(one, "parts")) || saysAnything(one);
  return said.some(saysAnything) || ownList(output, "artifacts").some(isShown);
}
