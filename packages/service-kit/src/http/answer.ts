import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { requestIdOf } from "./exchange.ts";

interface AnswerContent {
  readonly contentType: string;
  readonly body: string;
  /** More headers, as Node takes them raw: name, value, name, value. */
  readonly headers?: readonly string[];
  /** The content security policy of a page. Without one, browsers load and run nothing. */
  readonly policy?: string;
  /** The `cache-control` header; `no-store` when absent. */
  readonly caching?: string;
}

const nothingRuns = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every response. They forbid browsers and caches to store it or to guess its type, and, unless it is a page, to run it.
 * https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html#security-headers
 */
const guards: readonly string[] = ["x-content-type-options", "nosniff"];

/** https://www.rfc-editor.org/rfc/rfc6797#section-7.2: over TLS only. */
const strictTransport: readonly string[] = ["strict-transport-security", "max-age=31536000"];

export function answer(response: ServerResponse, status: number, content: AnswerContent): void {
  const { contentType, body, headers = [] } = content;
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [
    "content-type",
    contentType,
    "content-length",
    length,
    ...headersOf(response.socket, requestIdOf(response), content),
    ...headers,
  ]);
  response.end(body);
}

/** Ends a response with JSON text. Adds no ETag, because the response is not cached. */
export function answerJson(response: ServerResponse, status: number, text: string): void {
  answer(response, status, { contentType: "application/json", body: text });
}

/** Returns the headers of every response in raw form, for a head that is written elsewhere. */
export function answerHeaders(response: ServerResponse): string[] {
  return headersOf(response.socket, requestIdOf(response));
}

/** Returns the same headers for a response that is written directly to a socket. */
export function headersOf(
  socket: Socket | null,
  requestId: string,
  { policy = nothingRuns, caching = "no-store" }: { readonly policy?: string; readonly caching?: string } = {},
): string[] {
  const transport = socket !== null && "encrypted" in socket ? strictTransport : [];
  const named = ["content-security-policy", policy, "x-request-id", requestId];
  return ["cache-control", caching, ...guards, ...named, ...transport];
}

export interface EventStreamOptions {
  /** More headers, as Node takes them raw. */
  readonly headers: readonly string[];
  /** Interval of heartbeats, which keep proxies and clients from closing an idle stream; milliseconds. */
  readonly heartbeatMs: number;
  /** Aborts when the reader has disconnected. */
  readonly signal: AbortSignal;
}

/**
 * Sends the headers of a response of server-sent events, and heartbeats until it is stopped.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function openEventStream(response: ServerResponse, { headers, heartbeatMs, signal }: EventStreamOptions) {
  const own = ["content-type", "text/event-stream", "x-accel-buffering", "no"];
  response.writeHead(200, [...own, ...answerHeaders(response), ...headers]);
  response.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  }, heartbeatMs);
  return {
    /** Sends complete events. Resolves when the reader has received them or disconnected. */
    send: async (text: string): Promise<void> => {
      if (signal.aborted || response.write(text)) return;
      try {
        await once(response, "drain", { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    /** Stops the heartbeats. Leaves the response open. */
    stop: (): void => clearInterval(heartbeat),
  };
}

export type EventStream = ReturnType<typeof openEventStream>;
