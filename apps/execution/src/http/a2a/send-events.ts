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
  let next: IteratorResult<IdentifiedEvent, void> | undefined = await events.next();
  const stream = openEventStream(response, { headers, heartbeatMs: holdMs, signal });
  try {
    while (next.done !== true && !signal.aborted) {
      await stream.send(`id: ${next.value.id}\ndata: ${write(next.value.event)}\n\n`);
      // Its content isn't kept while the next event is waited for.
      next = undefined;
      next = await events.next();
    }
  } catch (error) {
    if (!signal.aborted) await stream.send(`data: ${fail(error)}\n\n`);
  } finally {
    stream.stop();
    await events.return();
    response.end();
  }
}
