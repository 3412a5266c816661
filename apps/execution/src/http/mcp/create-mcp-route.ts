import { setTimeout as delay } from "node:timers/promises";
import { parseJson } from "@crosszone/a2a";
import { ZoneError } from "@crosszone/contracts";
import { opensDeeperThan } from "@crosszone/jsonrpc";
import { answer, answerHeaders } from "@crosszone/service-kit";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpRequestContext, type McpServer, type Server } from "@modelcontextprotocol/server";
import type { Asker } from "../../ask/asker.ts";
import { type AskRoutesDeps, holding, type HoldingDeps, readHeldBody } from "../ask-routes-deps.ts";
import { refusalText } from "../refuse.ts";
import { serveRoute } from "../serve-route.ts";

/** An authenticated HTTP request of MCP. */
export interface McpRequest {
  readonly asker: Asker;
  readonly correlationId: string;
  readonly traceparent: string | string[] | undefined;
  /** As `whileGranted` of the routes, for an answer about this agent. */
  readonly whileGranted: (agent: string) => AbortSignal | undefined;
}

export interface McpRouteDeps
  extends HoldingDeps, Pick<AskRoutesDeps, "authenticate" | "whileGranted" | "emit" | "limits"> {
  /** Creates the server of one request. The era tells whether the client speaks 2026-07-28 or an earlier version. */
  readonly createServer: (request: McpRequest, era: McpRequestContext["era"]) => McpServer | Server;
}

/** How long a response can stay silent before it becomes a stream, milliseconds. */
const silenceMs = 5_000;
/** Time between two comments in such a stream, milliseconds: shorter than the idle time-outs of proxies. */
const keepAliveMs = 15_000;

/**
 * MCP over Streamable HTTP, without sessions: version 2026-07-28 and earlier ones on one path. The listener checks Host and Origin. A response
 * that takes longer is a stream with comments, because proxies close connections that stay silent.
 */
export function createMcpRoute({ ask, authenticate, whileGranted, emit, limits, createServer }: McpRouteDeps) {
  const factory = ({ authInfo, era }: McpRequestContext): McpServer | Server =>
    createServer(authInfo?.extra?.["request"] as McpRequest, era);
  const handler = createMcpHandler(factory, { keepAliveMs });
  const serve = toNodeHandler({ fetch: (...sent) => streamIfSlow(handler.fetch(...sent)) });
  return serveRoute(async ({ request, response, correlationId }) => {
    const program = await authenticate(request, response, "mcp");
    if (program === undefined) return undefined;
    const asker = holding({ ask }, program, response);
    let message: unknown;
    if (request.method === "POST") {
      const body = await readHeldBody(request, asker, limits.maxBytes).catch(withoutRoom);
      if (body === "no_room") return { reason: "too_many", retryAfterMs: 1_000 };
      if (body === "aborted") return undefined;
      if (body === "too_large") return { reason: "too_large" };
      message = readMessage(body, limits.maxDepth);
    }
    const headers = [...answerHeaders(response), "x-correlation-id", correlationId];
    if (message instanceof ZoneError) {
      const text = refusalText(message, correlationId);
      answer(response, 400, { contentType: "application/json", body: text, headers });
      return undefined;
    }
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
    const mcp: McpRequest = {
      asker,
      correlationId,
      traceparent: request.headers["traceparent"],
      whileGranted: (agent) => whileGranted?.(request, response, { surface: "mcp", agent }),
    };
    // The SDK hands this to the factory. It has no other use for it.
    const auth = { token: "", clientId: asker.actor, scopes: [], extra: { request: mcp } };
    await serve(Object.assign(request, { auth }), response, message);
    return undefined;
  }, emit);
}

function withoutRoom(error: unknown): "no_room" {
  if (error instanceof ZoneError && error.kind === "rate_limited") return "no_room";
  throw error;
}

/** Returns a response, or a stream that ends with it. A quick one keeps its HTTP status. */
async function streamIfSlow(pending: Promise<Response>): Promise<Response> {
  const quick = await Promise.race([pending, delay(silenceMs, undefined, { ref: false })]);
  if (quick !== undefined) return quick;
  const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
  return new Response(ReadableStream.from(eventsOf(pending)).pipeThrough(new TextEncoderStream()), { headers });
}

async function* eventsOf(pending: Promise<Response>): AsyncGenerator<string> {
  let response: Response | undefined;
  while (response === undefined) {
    yield ": keepalive\n\n";
    response = await Promise.race([pending, delay(keepAliveMs, undefined, { ref: false })]);
  }
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream) yield `data: ${await response.text()}\n\n`;
  else if (response.body !== null) yield* response.body.pipeThrough(new TextDecoderStream());
}

/** Returns the JSON of a body, or why it is no message. The limits of the SDK don't apply to a body that was read here. */
function readMessage(body: Uint8Array, maxDepth: number): unknown {
  if (opensDeeperThan(body, maxDepth)) return invalid(`the body is nested in more than ${maxDepth} levels`);
  try {
    const message = parseJson(body, maxDepth);
    return Array.isArray(message) ? invalid("MCP has no batches; send one message at a time") : message;
  } catch {
    return new ZoneError("parse_error");
  }
}

const invalid = (message: string): ZoneError =>
  new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
