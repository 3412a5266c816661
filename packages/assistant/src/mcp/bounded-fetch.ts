import { gatherBytes } from "@crosszone/service-kit";
import { plainJson, recordOf } from "@crosszone/service-kit/json";
import { createParser } from "eventsource-parser";
import { tooLargeText } from "./mcp-failure.ts";
import { errorMessage, comparedId, type McpRequest, readServerMessage, requestIn } from "./read-message.ts";

type Fetch = typeof globalThis.fetch;

export interface FetchBounds {
  readonly mostBytes: number;
  /** Time of a response, milliseconds. */
  readonly mostMs: number;
}

/** Timeout for ending a session, milliseconds. */
const goodbyeMs = 2_000;

/** The shortest wait before a stream is taken up again, milliseconds. */
const leastRetryMs = 100;

/**
 * Returns the `fetch` of the MCP client. It cuts a response at `mostBytes` and `mostMs`, and reads its messages. If a stream ends without its
 * answer, the client would wait for its timeout, so it gets an error, unless it can take the stream up again after its last event: servers of 2025
 * end streams on purpose. The stream of a server's own messages is never opened, because nothing here uses them.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */
export function boundedFetch(fetch: Fetch, { mostBytes, mostMs }: FetchBounds): Fetch {
  const resumable = new Map<string, McpRequest>();
  return async (url, init = {}) => {
    const { method, signal: during } = init;
    const given = new Headers(init.headers);
    const last = given.get("last-event-id");
    if (method === "GET" && last === null && given.get("accept") === "text/event-stream")
      return new Response(null, { status: 405 });
    const sent = typeof init.body === "string" ? plainJson(init.body) : undefined;
    const asked = last === null ? requestIn(sent) : resumable.get(last);
    const late = AbortSignal.timeout(method === "DELETE" ? goodbyeMs : mostMs);
    const signal = during ? AbortSignal.any([during, late]) : late;
    const resumed = last === null ? undefined : asked;
    const { status, headers, body } = await fetch(url, { ...init, signal }).catch((error: unknown) => {
      if (resumed === undefined) throw error;
      return lostStream(resumed);
    });
    // The client would give up without a word.
    if (resumed !== undefined && status >= 400 && status !== 401 && status !== 403) return lostStream(resumed);
    if (body === null) return new Response(null, { status, headers });
    const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
    // `values` locks it at once: Node cancels an unread body whose response is garbage.
    const pieces = readAtMost(body.values(), mostBytes);
    if (!isStream) return new Response(ReadableStream.from(readWhole(pieces, asked)), { status, headers });
    return new Response(ReadableStream.from(readEvents(pieces, { asked, resumable, late })), { status, headers });
  };
}

async function* readAtMost(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new Error(tooLargeText);
    yield piece;
  }
}

/** Reads a response that is one message. What is none, as a token's, stays as it is. */
async function* readWhole(
  pieces: AsyncIterable<Uint8Array>,
  asked: McpRequest | undefined,
): AsyncGenerator<Uint8Array> {
  const bytes = gatherBytes();
  for await (const piece of pieces) bytes.add(piece);
  const body = bytes.whole();
  const message = asked && readServerMessage(body.toString(), requestOf(asked));
  yield message === undefined ? body : Buffer.from(JSON.stringify(message));
}

interface StreamOf {
  readonly asked: McpRequest | undefined;
  readonly resumable: Map<string, McpRequest>;
  /** Aborts when the time of the response is over. */
  readonly late: AbortSignal;
}

async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
  { asked, resumable, late }: StreamOf,
): AsyncGenerator<Uint8Array> {
  const lines: string[] = [];
  let [last, isAnswered, because] = [undefined as string | undefined, false, "the stream ended"];
  const parser = createParser({
    onRetry: (ms) => void lines.push(`retry: ${Math.max(ms, leastRetryMs)}`, "", ""),
    onId: (id) => void (last = id || last),
    onEvent: ({ event, data }) => {
      const message = data === "" ? undefined : readServerMessage(data, requestOf(asked));
      isAnswered ||= isResponse(message, asked);
      const shown = message === undefined ? data : JSON.stringify(message);
      if (event) lines.push(`event: ${event}`);
      lines.push(`data: ${shown.replaceAll("\n", "\ndata: ")}`, "", "");
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const piece of pieces) {
      parser.feed(decoder.decode(piece, { stream: true }));
      if (lines.length > 0) yield Buffer.from(lines.splice(0).join("\n"));
    }
    // The last event may have no blank line.
    parser.feed("\n\n");
    if (lines.length > 0) yield Buffer.from(lines.splice(0).join("\n"));
  } catch (error) {
    because = (error as Error).message;
  }
  if (isAnswered || asked === undefined) return;
  const canResume = !asked.isModern && because !== tooLargeText && !late.aborted;
  if (last !== undefined && canResume) {
    resumable.set(last, asked);
    // The client takes up a stream of which it knows an event.
    yield Buffer.from(`id: ${last}\ndata: \n\n`);
  } else yield endOf(asked, because);
}

/** Finds the request of a response. Only an error can lack its id. */
const requestOf = (asked: McpRequest | undefined) => (id: unknown) =>
  id === undefined || comparedId(id) === comparedId(asked?.id) ? asked : undefined;

const isResponse = (message: unknown, asked: McpRequest | undefined): boolean =>
  [message].flat().some((one) => {
    const { id, result, error } = recordOf(one);
    return id === asked?.id && (result !== undefined || error !== undefined);
  });

const endOf = ({ id }: McpRequest, because: string): Uint8Array =>
  Buffer.from(`\n\ndata: ${JSON.stringify(errorMessage(id, because))}\n\n`);

const lostStream = (asked: McpRequest): Response =>
  new Response(endOf(asked, "the stream ended"), { headers: { "content-type": "text/event-stream" } });
