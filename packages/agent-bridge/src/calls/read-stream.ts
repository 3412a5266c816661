import type { Reading, AgentReply } from "../protocol/protocol-adapter.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { AgentRequest } from "../client/agent-client.ts";
import { isEventStream } from "../client/exchange.ts";
import type { CallRequest, OpenCall } from "./agent-caller.ts";
import { readReply } from "./translate.ts";

/** The reading of a response, and its headers. */
export interface ReadAnswer {
  readonly reading: Reading;
  readonly headers: AgentReply["headers"];
}

/**
 * Sends a request whose response may be a stream, and reads events until one ends the task. For a broken stream, returns the reading of the
 * last event. Throws an `AgentFailure` when no event could be read or the stream broke between messages, and the signal's reason.
 */
export async function readStream(call: OpenCall, request: CallRequest, sent: AgentRequest): Promise<ReadAnswer> {
  const { operation, answered } = request;
  const { adapter, agent, client, options, task, time } = call;
  const read = adapter.createEventReader?.(task);
  let last: Reading | undefined;
  const isLate = (): boolean => time.now() >= options.deadlineAt;
  const onEvent = (data: Uint8Array): boolean => {
    last = readReply(call, { operation, read }, { status: 200, headers: {}, body: data });
    reportArtifacts(call, last.artifacts);
    if (last.state === "ended") return (last.isOpen !== true && !isStill(answered, last)) || isLate();
    remember(call, last.remoteId);
    reportProgress(call, last.progress);
    return isLate();
  };
  try {
    const onOpen = (): void => {
      if (operation === "send") call.isBegun = true;
    };
    const reply = await client.stream({ ...sent, onEvent, onOpen });
    if (!isEventStream(reply)) return { reading: readReply(call, request, reply), headers: reply.headers };
  } catch (error) {
    options.signal.throwIfAborted();
    const isSilent = error instanceof AgentFailure && error.kind === "call_timeout";
    if (last === undefined || (last.isOpen === true && !isSilent)) throw error;
  }
  if (last !== undefined) return { reading: last, headers: {} };
  const who = JSON.stringify(agent.name);
  throw new AgentFailure("unreachable", `The agent ${who} ended its stream before the first event.`);
}

/** Returns whether the task still waits with the question that this call answers, because the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}

/** Stores the agent's own id of the task. `call.remembered` resolves when the id is durable. */
export function remember(call: OpenCall, remoteId: string): void {
  if (remoteId === call.remoteId) return;
  call.remoteId = remoteId;
  call.remembered = call.options.onRemoteId(remoteId);
  // Awaited after the response is read, because a stream can stay open for a long time.
  call.remembered.catch(() => undefined);
}

/** Reports the agent's progress when it has changed. */
export function reportProgress(call: OpenCall, progress: string | undefined): void {
  if (progress === undefined || progress === call.progress) return;
  call.progress = progress;
  call.options.onProgress?.(progress);
}

/** Reports the artifacts of a streamed task after each event. */
function reportArtifacts(call: OpenCall, artifacts: readonly unknown[] | undefined): void {
  if (artifacts !== undefined) call.options.onArtifacts?.(artifacts);
}
