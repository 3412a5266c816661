import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply, Reading } from "../protocol/protocol-adapter.ts";
import { isEventStream } from "../client/receive-answer.ts";
import { type CallRequest, type OpenCall, withProgress, withRemoteId } from "./open-call.ts";
import { readReply } from "./translate.ts";

/** Reads the events of the response to one request of a call, until one ends the task. */
export class StreamReader {
  /** The call after the events so far. */
  call: OpenCall;
  readonly #request: CallRequest;
  readonly #readEvent: CallRequest["read"];
  #last: Reading | undefined;

  constructor(call: OpenCall, request: CallRequest) {
    this.call = call;
    this.#request = request;
    this.#readEvent = call.adapter.createEventReader?.(call.task);
  }

  /** Returns true when no further event is needed. */
  readonly onEvent = (body: Uint8Array): boolean => {
    const { operation, answered } = this.#request;
    const { options, time } = this.call;
    const reading = readReply(this.call, { operation, read: this.#readEvent }, { status: 200, headers: {}, body });
    this.#last = reading;
    if (reading.artifacts !== undefined) options.onArtifacts?.(reading.artifacts);
    const isLate = time.now() >= options.deadlineAt;
    if (reading.state === "ended") return (reading.isOpen !== true && !isStill(answered, reading)) || isLate;
    this.call = withProgress(withRemoteId(this.call, reading.remoteId), reading.progress);
    return isLate;
  };

  readonly onOpen = (): void => {
    if (this.#request.operation === "send") this.call = { ...this.call, isBegun: true };
  };

  /** Returns the reading of a whole response. Throws an `AgentFailure` when it is a stream without events. */
  read(reply: AgentReply): Reading {
    if (!isEventStream(reply)) return readReply(this.call, this.#request, reply);
    if (this.#last !== undefined) return this.#last;
    const who = JSON.stringify(this.call.agent.name);
    throw new AgentFailure("unreachable", `The agent ${who} ended its stream before the first event.`);
  }

  /** Returns the reading of the last event before an error; undefined when there is none or the stream broke between messages. */
  lastBefore(error: unknown): Reading | undefined {
    const isSilent = error instanceof AgentFailure && error.kind === "call_timeout";
    return this.#last?.isOpen === true && !isSilent ? undefined : this.#last;
  }
}

/** Returns whether the task still waits with the question that this call answers, because the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}
