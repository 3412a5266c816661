import { setTimeout as delay } from "node:timers/promises";
import { type ErrorKind, type ParamProblem, ZoneError } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { errorToJson } from "@crosszone/jsonrpc";
import { answer, answerHeaders } from "@crosszone/service-kit";
import { ownMember } from "@crosszone/service-kit/json";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpRequestContext, type McpServer, type Server } from "@modelcontextprotocol/server";
import type { Asker } from "../../ask/asker.ts";
import { type AskRoutesDeps, holding, type HoldingDeps, readHeldBody } from "../ask-routes-deps.ts";
import { serveRoute } from "../serve-route.ts";
import { errorWords } from "./error-words.ts";

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
    if (message instanceof RefusedMessage) {
      answer(response, message.status, { contentType: "application/json", body: message.text(correlationId), headers });
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

/** A body that the SDK never gets. The response has the request's id if the request can be read. */
class RefusedMessage {
  readonly status: number;
  readonly #error: ZoneError;
  readonly #id: unknown;

  constructor(kind: ErrorKind, problems: readonly ParamProblem[], id: unknown = null) {
    this.#error = new ZoneError(kind, { problems: [...problems] });
    this.#id = id;
    this.status = id === null ? 400 : 200;
  }

  text(correlationId: string): string {
    const { kind, data } = this.#error;
    const error = { ...errorToJson(this.#error, correlationId), message: errorWords(kind, data) };
    return JSON.stringify({ jsonrpc: "2.0", error, id: this.#id });
  }
}

/** Returns the JSON of a body, or why it is no message. The limits of the SDK don't apply to a body that was read here. */
function readMessage(body: Uint8Array, maxDepth: number): unknown {
  try {
    const message = parseExactJson(body, { maxDepth });
    if (!Array.isArray(message)) return message;
    return invalid([{ pointer: "", message: "MCP has no batches; send one message at a time" }]);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, problems, value } = error;
    if (kind === "not_utf8" || kind === "not_json") return new RefusedMessage("parse_error", problems);
    const isOfParams = problems.every(({ pointer }) => pointer.startsWith("/params"));
    return isOfParams ? new RefusedMessage("invalid_params", problems, ownMember(value, "id")) : invalid(problems);
  }
}

const invalid = (problems: readonly ParamProblem[]): RefusedMessage => new RefusedMessage("invalid_request", problems);
