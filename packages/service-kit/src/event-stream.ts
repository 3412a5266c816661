import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { answerHeaders } from "./answer.ts";

export interface EventStreamOptions {
  /** More headers, as Node takes them raw. */
  readonly headers: readonly string[];
  /** Interval of heartbeats, which keep proxies and clients from closing an idle stream; milliseconds. */
  readonly heartbeatMs: number;
  /** Aborts when the reader has disconnected. */
  readonly signal: AbortSignal;
}

/** A response of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface EventStream {
  /** Sends complete events. Resolves when the reader has received them or disconnected. */
  send(text: string): Promise<void>;
  /** Stops the heartbeats. Leaves the response open. */
  stop(): void;
}

/** Sends the headers of an event stream, and heartbeats until it is stopped. */
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
