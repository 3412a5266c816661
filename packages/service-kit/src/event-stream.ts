import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { answerHeaders } from "./answer.ts";

export interface EventStreamOptions {
  /** More headers, as Node takes them raw. */
  readonly headers: readonly string[];
  /** How often something is said while nothing happens, so that proxies and clients know that the other side is there; milliseconds. */
  readonly heartbeatMs: number;
  /** Aborted when nobody reads any more. */
  readonly signal: AbortSignal;
}

/** A response of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface EventStream {
  /** Sends text that is whole events. Resolves when the reader has taken it, or is gone. */
  send(text: string): Promise<void>;
  /** No more heartbeats. The response is left open. */
  stop(): void;
}

/** Sends the head of the response, and heartbeats until it is stopped. */
export function openEventStream(
  response: ServerResponse,
  { headers, heartbeatMs, signal }: EventStreamOptions,
): EventStream {
  const own = ["content-type", "text/event-stream", "x-accel-buffering", "no"];
  response.writeHead(200, [...own, ...answerHeaders(response), ...headers]);
  response.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  }, heartbeatMs);
  return {
    send: async (text) => {
      if (signal.aborted || response.write(text)) return;
      try {
        await once(response, "drain", { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    stop: () => clearInterval(heartbeat),
  };
}
