import { createParser, type EventSourceMessage } from "eventsource-parser";
import { brokenOff, changeIn, tooLarge } from "./mcp-failure.ts";

type Fetch = typeof globalThis.fetch;

export interface FetchBounds {
  readonly mostBytes: number;
  /** Time of a response, milliseconds. */
  readonly mostMs: number;
}

/** Timeout for ending a session, milliseconds. */
const goodbyeMs = 2_000;

/**
 * Returns the `fetch` of the MCP client. It cuts a response at `mostBytes` and `mostMs`. A message whose values would change
 * becomes an error. If a stream ends without its answer, the client would wait for its timeout, so it gets an error, too. The
 * stream of a server's own messages is never opened, because nothing here uses them.
 */
export function boundedFetch(fetch: Fetch, { mostBytes, mostMs }: FetchBounds): Fetch {
  return async (url, init = {}) => {
    const { method, signal: during } = init;
    if (method === "GET" && new Headers(init.headers).get("accept") === "text/event-stream")
      return new Response(null, { status: 405 });
    const late = AbortSignal.timeout(method === "DELETE" ? goodbyeMs : mostMs);
    const signal = during ? AbortSignal.any([during, late]) : late;
    const { status, headers, body } = await fetch(url, { ...init, signal });
    if (body === null) return new Response(null, { status, headers });
    const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
    const pieces = readAtMost(body, mostBytes);
    const exact = isStream ? orError(exactEvents(pieces, init.body), init.body) : exactBody(pieces, init.body);
    return new Response(ReadableStream.from(exact), { status, headers });
  };
}

async function* readAtMost(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new Error(tooLarge);
    yield piece;
  }
}

async function* exactBody(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  const body = Buffer.concat(await Array.fromAsync(pieces));
  const change = changeIn(body.toString());
  yield change === undefined ? body : Buffer.from(errorFor(request, change));
}

async function* exactEvents(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    for (const { id, event, data } of events.splice(0)) {
      const change = changeIn(data);
      const exact = change === undefined ? data : errorFor(request, change);
      const lines = [id && `id: ${id}`, event && `event: ${event}`, `data: ${exact.replaceAll("\n", "\ndata: ")}`];
      yield Buffer.from(`${lines.filter(Boolean).join("\n")}\n\n`);
    }
  }
}

/** Appends an error to the end of a stream. The client ignores it when it already has its answer. */
async function* orError(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  let message = "the stream ended";
  try {
    yield* pieces;
  } catch (error) {
    ({ message } = error as Error);
  }
  yield Buffer.from(`\n\ndata: ${errorFor(request, message)}\n\n`);
}

function errorFor(request: unknown, message: string): string {
  const { id } = JSON.parse(String(request)) as { readonly id?: unknown };
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: brokenOff, message } });
}
