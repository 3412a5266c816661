import type { ServerResponse } from "node:http";
import { openEventStream, type EventStreamOptions } from "@crosszone/service-kit";
import type { ApiEvent } from "./api-exchange.ts";

/** The signal is aborted when nobody reads any more, or the service stops. */
export type SendEventsOptions = EventStreamOptions;

/** How soon a client that was cut off comes back, milliseconds. */
const retryMs = 1_000;

/**
 * Sends events as they come: https://html.spec.whatwg.org/multipage/server-sent-events.html. Nothing is fetched for a client that has not taken
 * what was sent before, so a slow one costs one batch; one that takes nothing is cut off by the HTTP server. When the source
 * fails after the first event there is no status to say so: it throws, and whoever called cuts the connection, so that the client comes back.
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
