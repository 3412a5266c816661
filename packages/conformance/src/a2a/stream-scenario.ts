import { setTimeout as pause } from "node:timers/promises";
import { NotJudged } from "../run/check.ts";
import { objectOf, stringOf, type JsonObject } from "../wire/json.ts";
import { capabilityOf, type A2AAgent, type Call, type CallOptions } from "./a2a-agent.ts";
import { isEnded, payloadOf, type Payload } from "./read-task.ts";
import { answered, taskOf } from "./scenarios.ts";

/** A stream that was read to its end, or until it should have ended. */
export interface Streamed {
  readonly call: Call;
  /** The content of each event; undefined for an unknown one. */
  readonly payloads: readonly (Payload | undefined)[];
  /** The task after the stream; undefined when the stream has none. */
  readonly stored: JsonObject | undefined;
}

/** Milliseconds that a stream may stay open after its task has ended. */
const graceMs = 1_500;

/** Reads a stream. Leaves it when the task has ended, by its events or by a poll, and the stream stays open. */
export async function readStream(agent: A2AAgent, open: (options: CallOptions) => Promise<Call>): Promise<Streamed> {
  const leave = new AbortController();
  const closed = new AbortController();
  const payloads: (Payload | undefined)[] = [];
  let taskId: string | undefined;
  const leaveSoon = async (): Promise<void> => {
    await pause(graceMs, undefined, { signal: closed.signal }).catch(() => {});
    if (!closed.signal.aborted) leave.abort();
  };
  const poll = async (id: string): Promise<void> => {
    while (!closed.signal.aborted) {
      await pause(500, undefined, { signal: closed.signal }).catch(() => {});
      if (closed.signal.aborted) return;
      if (isEnded(taskOf(await agent.call("get", { id }), agent) ?? {})) return leaveSoon();
    }
  };
  const onEvent: CallOptions["onEvent"] = ({ json }) => {
    const payload = payloadOf(objectOf(json)?.["result"], agent.dialect);
    payloads.push(payload);
    if (payload?.kind === "message" || (payload && isEnded(payload.value))) void leaveSoon();
    if (taskId !== undefined || !payload) return;
    taskId = stringOf(payload.value[payload.kind === "task" ? "id" : "taskId"]);
    if (taskId !== undefined) void poll(taskId).catch(() => {});
  };
  try {
    const call = await open({ onEvent, until: leave.signal });
    closed.abort();
    const stored = taskId === undefined ? undefined : taskOf(await agent.call("get", { id: taskId }), agent);
    return { call, payloads, stored };
  } finally {
    closed.abort();
  }
}

/** Skips the check unless the card says that the agent streams. */
export function demandStreaming(agent: A2AAgent): void {
  if (!capabilityOf(agent, "streaming")) throw new NotJudged("The card says that the agent does not stream.");
}

/** The stream of the slow question, otherwise of the answered one; it is opened once. */
export const streamed = (agent: A2AAgent): Promise<Streamed> =>
  agent.once("streamed", async () => {
    demandStreaming(agent);
    await answered(agent);
    const { slow, answered: text } = agent.questions;
    return readStream(agent, (options) => agent.send(slow ?? text, { ...options, operation: "stream" }));
  });
