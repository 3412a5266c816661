import { brokenOff, tooLarge } from "./mcp-failure.ts";

type Fetch = typeof globalThis.fetch;

export interface FetchBounds {
  readonly mostBytes: number;
  /** Time of a response, milliseconds. */
  readonly mostMs: number;
}

/** Timeout for ending a session, milliseconds. */
const goodbyeMs = 2_000;

/**
 * Returns the `fetch` of the MCP client. It cuts a response at `mostBytes` and `mostMs`. If a stream ends without its
 * answer, the client would wait for its timeout, so it gets an error instead. The stream of a server's own messages is
 * never opened, because nothing here uses them.
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
    return new Response(ReadableStream.from(isStream ? orError(pieces, init.body) : pieces), { status, headers });
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

/** Appends an error to the end of a stream. The client ignores it when it already has its answer. */
async function* orError(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  let message = "the stream ended";
  try {
    yield* pieces;
  } catch (error) {
    ({ message } = error as Error);
  }
  const { id } = JSON.parse(String(request)) as { readonly id?: unknown };
  const error = { code: brokenOff, message };
  yield new TextEncoder().encode(`\n\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`);
}
