import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LocalServer, startLocalServer } from "../wire/local-server.ts";
import { asJson } from "../wire/wire-exchange.ts";
import { createCleaner, type ModelBases, type ModelChunk, type ModelExchange, placeOf } from "./model-exchange.ts";

export interface ModelRecorder extends LocalServer {
  /** In the order of the requests. */
  readonly exchanges: readonly ModelExchange[];
}

export interface RecorderOptions {
  readonly bases: ModelBases;
  /** Values that must not be recorded. */
  readonly secrets: readonly string[];
  readonly onExchange?: (exchange: ModelExchange, duration_ms: number) => void;
}

const notSent = new Set(["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "keep-alive"]);
const notReturned = new Set(["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"]);

/** Starts a server that forwards model requests to their real addresses and records them without credentials. */
export async function recordModels({ bases, secrets, onExchange }: RecorderOptions): Promise<ModelRecorder> {
  const exchanges: ModelExchange[] = [];

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = placeOf(request.url ?? "/");
    if (place === undefined) return void response.writeHead(404).end();
    const [at, started] = [new Date().toISOString(), performance.now()];
    const body = await buffer(request);
    const leaving = new AbortController();
    response.once("close", () => leaving.abort());
    const sent = Object.entries(request.headers).filter(([name]) => !notSent.has(name));
    const came = await fetch(`${bases[place.provider]}${place.path}${new URL(request.url ?? "/", "http://x").search}`, {
      method: request.method ?? "POST",
      headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.byteLength > 0 && { body }),
      signal: leaving.signal,
    });
    const headers = [...came.headers].filter(([name]) => !notReturned.has(name));
    response.writeHead(came.status, Object.fromEntries(headers));
    const decoder = new TextDecoder();
    const chunks: ModelChunk[] = [];
    for await (const piece of came.body ?? []) {
      response.write(piece);
      chunks.push({ at_ms: Math.round(performance.now() - started), text: decoder.decode(piece, { stream: true }) });
    }
    response.end();
    if (request.method !== "POST") return;
    const clean = createCleaner([...secrets, ...credentialsOf(request)]);
    const content_type = came.headers.get("content-type") ?? "application/json";
    const exchange: ModelExchange = {
      ...place,
      at,
      request: asJson(clean(body.toString())),
      status: came.status,
      content_type,
      ...(content_type.startsWith("text/event-stream")
        ? {
            chunks: chunks.map(({ at_ms, text }) => ({
              at_ms,
              text: clean(text),
            })),
          }
        : { response: asJson(clean(chunks.map(({ text }) => text).join(""))) }),
    };
    exchanges.push(exchange);
    onExchange?.(exchange, Math.round(performance.now() - started));
  }

  const server = await startLocalServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      const message = `The model can't be reached: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`;
      if (!response.headersSent) response.writeHead(502, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message, type: "unreachable" } }));
    });
  });
  return { ...server, exchanges };
}

/** The credentials in a request's headers, with and without the scheme. */
function credentialsOf({ headers }: IncomingMessage): readonly string[] {
  return ["authorization", "x-api-key", "api-key"].flatMap((name) => String(headers[name] ?? "").split(" "));
}
