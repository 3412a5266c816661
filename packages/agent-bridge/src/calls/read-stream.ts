import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentReply, Reading } from "../protocol/protocol-adapter.ts";
import { isEventStream } from "../client/receive-answer.ts";
import { type CallRequest, type OpenCall, withProgress, withRemoteId } from "./open-call.ts";
import { readReply } from "./translate.ts";

/** Reads the events of one response, until one ends the task. */
export interface StreamReader {
  /** Returns true when no further event is needed. */
  readonly onEvent: (data: Uint8Array) => boolean;
  readonly onOpen: () => void;
  /** Returns the call after the events so far. */
  readonly call: () => OpenCall;
  /** Returns the reading of a whole response. Throws an `AgentFailure` when it is a stream without events. */
  readonly read: (reply: AgentReply) => Reading;
  /** Returns the reading of the last event before an error; undefined when there is none or the stream broke between messages. */
  readonly lastBefore: (error: unknown) => Reading | undefined;
}

/** Creates a reader for the response to a request of a call. */
export function createStreamReader(opened: OpenCall, request: CallRequest): StreamReader {
  const { operation, answered } = request;
  const { adapter, agent, options, task, time } = opened;
  const read = adapter.createEventReader?.(task);
  let call = opened;
  let last: Reading | undefined;
  const isLate = (): boolean => time.now() >= options.deadlineAt;
  return {
    onEvent: (data) => {
      last = readReply(call, { operation, read }, { status: 200, headers: {}, body: data });
      if (last.artifacts !== undefined) options.onArtifacts?.(last.artifacts);
      if (last.state === "ended") return (last.isOpen !== true && !isStill(answered, last)) || isLate();
      call = withProgress(withRemoteId(call, last.remoteId), last.progress);
      return isLate();
    },
    onOpen: () => {
      if (operation === "send") call = { ...call, isBegun: true };
    },
    call: () => call,
    read: (reply) => {
      if (!isEventStream(reply)) return readReply(call, request, reply);
      if (last !== undefined) return last;
      const who = JSON.stringify(agent.name);
      throw new AgentFailure("unreachable", `The agent ${who} ended its stream before the first event.`);
    },
    lastBefore: (error) => {
      const isSilent = error instanceof AgentFailure && error.kind === "call_timeout";
      return last?.isOpen === true && !isSilent ? undefined : last;
    },
  };
}

/** Returns whether the task still waits with the question that this call answers, because the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}
