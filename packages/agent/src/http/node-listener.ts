import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NodeListener } from "../agent-definition.ts";
import type { AnswerHttp } from "./answer-http.ts";
import type { HttpRequest } from "./http-request.ts";

/** How long a client may take no bytes of a response, milliseconds. */
const stalledMs = 60_000;

/** A request of Express has more members. */
type NodeRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

export function createNodeListener(answer: AnswerHttp): NodeListener {
  return (request, response) => {
    response.on("error", () => undefined);
    answerNode(request, response, answer).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(400, { connection: "close" }).end();
    });
  };
}

async function answerNode(request: NodeRequest, response: ServerResponse, answer: AnswerHttp): Promise<void> {
  const { status, headers, body } = await answer(asHttpRequest(request));
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null || request.method === "HEAD") return void response.end();
  response.flushHeaders();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  response.on("close", () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return void response.end();
    if (response.destroyed) return;
    if (!response.write(value)) await once(response, "drain", { signal: AbortSignal.timeout(stalledMs) });
  }
}

/** Throws a `TypeError` for a request without a valid host. */
function asHttpRequest(request: NodeRequest): HttpRequest {
  const scheme = "encrypted" in request.socket ? "https" : "http";
  const path = request.originalUrl ?? request.url ?? "/";
  const url = new URL(`${scheme}://${request.headers.host}${path.startsWith("/") ? path : "/"}`).href;
  const get = (name: string): string | null => {
    const value = request.headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  const parsed = bodyParsedBefore(request);
  // The connection outlives a body that is refused: its client reads why.
  const body = parsed ?? request.iterator({ destroyOnReturn: false });
  return { method: request.method ?? "", url, headers: { get }, body };
}

/** Express may have read the body already: middleware such as `express.json()` leaves it as a value. */
function bodyParsedBefore({ body, readableEnded }: NodeRequest): AsyncIterable<Uint8Array> | undefined {
  if (!readableEnded || body === undefined) return undefined;
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return (async function* () {
    yield bytes;
  })();
}
