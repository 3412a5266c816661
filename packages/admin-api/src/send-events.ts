import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { answerHeaders } from "@crosszone/service-kit";
import type { ApiEvent } from "./api-exchange.ts";

export interface SendEventsOptions {
  /** Aborted when nobody reads any more, or the service stops. */
  readonly signal: AbortSignal;
  /** More headers, as Node takes them raw. */
  readonly headers: readonly string[];
  /** How often something is said while nothing happens, so that proxies and clients know that the other side is there; milliseconds. */
  readonly heartbeatMs: number;
}

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
  const own = ["content-type", "text/event-stream", "x-accel-buffering", "no"];
  response.writeHead(200, [...own, ...answerHeaders(response), ...headers]);
  if (response.req.method === "HEAD") return void response.end();
  response.write(`retry: ${retryMs}\n\n`);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  }, heartbeatMs);
  try {
    for await (const batch of batches) {
      if (signal.aborted) break;
      if (!response.write(batch.map(textOf).join(""))) await drained(response, signal);
    }
  } finally {
    clearInterval(heartbeat);
  }
  response.end();
}

/** JSON has no line breaks, so the data is one line. */
function textOf({ event, data, id }: ApiEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    await once(response, "drain", { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
