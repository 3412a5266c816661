import type { ServerResponse } from "node:http";
import { openEventStream, type EventStreamOptions } from "@crosszone/service-kit";
import type { ApiEvent } from "./api-exchange.ts";

/** The signal aborts when the client disconnects or the service stops. */
export type SendEventsOptions = EventStreamOptions;

/** Reconnect delay of a disconnected client, milliseconds. */
const retryMs = 1_000;

/**
 * Sends events as they arrive: https://html.spec.whatwg.org/multipage/server-sent-events.html. Fetches no more until the client has read
 * what was sent, so a slow client costs one batch of memory; the HTTP server disconnects one that reads nothing. Throws when the source
 * fails after the first event, because the status is already sent. The caller then cuts the connection, and the client reconnects.
 */
export async function sendEvents(
  response: ServerResponse,
  batches: AsyncIterable<readonly ApiEvent[]>,
  { signal, headers, heartbeatMs }: SendEventsOptions,
): Promise<void> {
  const stream = openEventStream(response, { headers, heartbeatMs, signal });
  try {
    if (response.req.method !== "HEAD") {
      await stream.send(`retry: ${retryMs}\n\n`);
      for await (const batch of batches) {
        if (signal.aborted) break;
        await stream.send(batch.map(textOf).join(""));
      }
    }
  } finally {
    stream.stop();
  }
  response.end();
}

/** JSON has no line breaks, so the data is one line. */
function textOf({ event, data, id }: ApiEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
