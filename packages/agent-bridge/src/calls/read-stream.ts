import { AgentFailure } from "../agent-failure.ts";
import type { Reading } from "../adapters/protocol-adapter.ts";
import type { AgentReply, AgentRequest } from "../client/agent-client.ts";
import { isEventStream } from "../client/exchange.ts";
import type { AskedRequest, OpenCall } from "./open-call.ts";
import { isStill, remember, tellArtifacts, tellProgress } from "./readings.ts";
import { readReply } from "./translate.ts";

/** The reading of a response, and its headers. */
export interface ReadAnswer {
  readonly reading: Reading;
  readonly headers: AgentReply["headers"];
}

/**
 * Sends a request whose response may be a stream, and reads events until one ends the task. For a broken stream, returns the reading of the
 * last event. Throws an `AgentFailure` when no event could be read, and the signal's reason.
 */
export async function readStream(call: OpenCall, request: AskedRequest, sent: AgentRequest): Promise<ReadAnswer> {
  const { operation, answered } = request;
  const { adapter, agent, client, options, task, time } = call;
  const read = adapter.createEventReader?.(task);
  let last: Reading | undefined;
  const isLate = (): boolean => time.now() >= options.deadlineAt;
  const onEvent = (data: Uint8Array): boolean => {
    last = readReply(call, { operation, read }, { status: 200, headers: {}, body: data });
    if (last.state === "ended") return !isStill(answered, last) || isLate();
    remember(call, last.remoteId);
    tellProgress(call, last.progress);
    tellArtifacts(call, last.artifacts);
    return isLate();
  };
  try {
    const reply = await client.stream({ ...sent, onEvent });
    if (!isEventStream(reply)) return { reading: readReply(call, request, reply), headers: reply.headers };
  } catch (error) {
    options.signal.throwIfAborted();
    if (last === undefined) throw error;
  }
  if (last !== undefined) return { reading: last, headers: {} };
  const who = JSON.stringify(agent.name);
  throw new AgentFailure("unreachable", `The agent ${who} ended its stream before the first event.`);
}
