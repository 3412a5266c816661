import type { ServerResponse } from "node:http";
import type { StreamEvent } from "@crosszone/a2a";
import { openEventStream } from "@crosszone/service-kit";
import type { IdentifiedEvent } from "./stream-task.ts";
import { holdMs } from "./held-answer.ts";

export interface SendEventsOptions {
  readonly headers: readonly string[];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly write: (event: StreamEvent) => string;
  /** Returns the JSON-RPC response for an error in the stream. */
  readonly fail: (error: unknown) => string;
}

/** Sends events as Server-Sent Events, each when the client has taken the one before. Rejects when there is no first event. */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncGenerator<IdentifiedEvent, void>,
  { headers, signal, write, fail }: SendEventsOptions,
): Promise<void> {
  let next = await events.next();
  const stream = openEventStream(response, { headers, heartbeatMs: holdMs, signal });
  try {
    for (; next.done !== true && !signal.aborted; next = await events.next())
      await stream.send(`id: ${next.value.id}\ndata: ${write(next.value.event)}\n\n`);
  } catch (error) {
    if (!signal.aborted) await stream.send(`data: ${fail(error)}\n\n`);
  } finally {
    stream.stop();
    await events.return();
    response.end();
  }
}
