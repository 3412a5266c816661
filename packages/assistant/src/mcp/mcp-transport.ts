import { MCPClientError } from "@ai-sdk/mcp";

type Fetch = typeof globalThis.fetch;

/** Timeout for ending a session, milliseconds. */
const goodbyeMs = 2_000;

/**
 * Returns the `fetch` of the MCP client. It cuts a response at `mostBytes`. If a stream ends without its answer, the
 * client would wait forever, so it gets an error instead. The stream of a server's own messages is never opened,
 * because nothing here uses them.
 */
export function boundedFetch(fetch: Fetch, mostBytes: number): Fetch {
  return async (url, init = {}) => {
    if (init.method === "GET") return new Response(null, { status: 405 });
    const signal = init.signal ?? AbortSignal.timeout(goodbyeMs);
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

/** Error code of a stream that ended too early. No server uses it. */
export const brokenOff = 1_099_511_627_776;

/** Error message of a response that is too large. */
export const tooLarge = "its answer is too large";

/**
 * Why a server didn't answer. The message is for the operator. It contains no text of the server, no URL and no secret.
 */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  /** The server's own message, when it refused a call. */
  readonly said: string | undefined;

  constructor(message: string, said?: string) {
    super(message);
    this.said = said;
  }
}

/**
 * Converts an error of the client. The client's own errors contain the server's whole response and must not be logged.
 */
export function mcpFailureOf(error: unknown): McpFailure {
  if (!MCPClientError.isInstance(error)) return new McpFailure(reasonOf(error));
  const { statusCode, code, message } = error;
  if (statusCode === 401 || statusCode === 403)
    return new McpFailure(`it answers HTTP ${statusCode}: check its token in MCP_SERVERS`);
  if (statusCode === 404) return new McpFailure("it answers HTTP 404: check its URL in MCP_SERVERS");
  if (statusCode !== undefined && statusCode >= 400) return new McpFailure(`it answers HTTP ${statusCode}`);
  if (code === brokenOff) return new McpFailure(message === tooLarge ? tooLarge : "the connection was lost");
  if (code !== undefined) return new McpFailure(`it answers with the JSON-RPC error ${code}`, message);
  return new McpFailure("its answer is not that of an MCP server");
}

/** Describes why a request got no answer. `cause` is that of `fetch`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: unknown };
  if (message === tooLarge) return tooLarge;
  if (message === "terminated") return "the connection was lost";
  const { code, name, message: inner } = (cause ?? error) as Readonly<Record<string, unknown>>;
  // Its message names the secret or address and says what to do.
  if (name === "AgentFailure") return String(inner);
  if (inner === "unexpected redirect") return "it redirects to another URL: use that URL";
  if (typeof code === "string") return `it can't be reached (${code})`;
  return cause === undefined ? "its answer is not that of an MCP server" : "it can't be reached";
}
