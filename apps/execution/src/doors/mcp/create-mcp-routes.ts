import { hash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type ErrorKind, errorTable, type ParamProblem, ZoneError } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { errorToJson } from "@crosszone/jsonrpc";
import { answer, answerHeaders, type Exchange, readRequestBody, surface } from "@crosszone/service-kit";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type JSONRPCRequest,
  type McpRequestContext,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { errorForCallers } from "../../store/open-execution-database.ts";
import type { AskService } from "../../tasks/ask/ask-service.ts";
import type { AskedTask } from "../../tasks/ask/asked-task.ts";
import type { Asker } from "../../tasks/ask/asker.ts";
import { isFinal } from "../../tasks/task.ts";
import { type AskRoutesDeps, holding, lostRight } from "../ask-routes-deps.ts";
import { writeRpcRefusal } from "../serve-route.ts";
import { answerElicited, canAnswer, elicitationsOf, openWords, toolResultOf, mcpTaskOf } from "./deliver-task.ts";
import { errorWords, throwProtocolError } from "./error-words.ts";
import { clientOf, hopsOf, type McpCall, tasksExtension } from "./mcp-call.ts";
import { requestIdMeta, serveTools, type ToolsDeps } from "./zone-tools.ts";

/** An authenticated HTTP request of MCP. */
interface McpRequest {
  readonly asker: Asker;
  readonly correlationId: string;
  /** As in `ProgramAsk`. */
  readonly call: string;
  readonly traceparent: string | string[] | undefined;
  /** Returns a signal that aborts with a `ZoneError` when the program may no longer have an answer about this agent. */
  readonly whileGranted: (agent: string) => AbortSignal;
}

interface McpRouteDeps {
  readonly ask: { readonly open: AskService["open"]; readonly cancelCall: AskService["cancelCall"] };
  readonly door: AskRoutesDeps["door"];
  readonly emit: AskRoutesDeps["emit"];
  readonly limits: AskRoutesDeps["limits"];
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
export function createMcpRoute({ ask, door, emit, limits, createServer }: McpRouteDeps) {
  const factory = ({ authInfo, era }: McpRequestContext): McpServer | Server =>
    createServer(authInfo?.extra?.["request"] as McpRequest, era);
  const handler = createMcpHandler(factory, { keepAliveMs });
  const serve = toNodeHandler({ fetch: (...sent) => streamIfSlow(handler.fetch(...sent)) });
  const { code } = errorTable.internal;
  return surface<Asker>({ ...door("mcp"), serve: answerProgram, write: writeRpcRefusal });

  async function answerProgram(exchange: Exchange, { who }: { readonly who: Asker }): Promise<void> {
    const { request, response, correlationId } = exchange;
    const asker = holding(ask, who, response);
    let message: unknown;
    if (request.method === "POST") {
      const { maxBytes, maxDepth } = limits;
      // The SDK judges the content type.
      message = readMessage(await readRequestBody(request, { maxBytes, held: asker.held }), maxDepth);
    }
    const headers = [...answerHeaders(response), "x-correlation-id", correlationId];
    if (message instanceof RefusedMessage) return message.answerTo(exchange, headers);
    const { headers: given } = request;
    if (acceptsBoth(given.accept)) given.accept = "application/json, text/event-stream";
    const sent = (message ?? {}) as Partial<JSONRPCRequest>;
    if (sent.method === "initialize") headers.push(sessionHeader, randomUUID());
    const call = watchCancellation(exchange, sent, (name) =>
      ask.cancelCall(asker, name).catch((cause: unknown) => emit("http_failed", { kind: "internal", code, cause })),
    );
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
    const mcp: McpRequest = {
      asker,
      correlationId,
      call,
      traceparent: request.headers["traceparent"],
      whileGranted: (agent) => whileGranted(exchange, agent),
    };
    // The SDK hands this to the factory. It has no other use for it.
    const auth = { token: "", clientId: asker.actor, scopes: [], extra: { request: mcp } };
    await serve(Object.assign(request, { auth }), response, message);
  }
}

/** Returns a signal that aborts with a `ZoneError` when a program may no longer have an answer about an agent. */
function whileGranted(exchange: Exchange, agent: string): AbortSignal {
  const over = new AbortController();
  exchange.about = agent;
  exchange.signal.addEventListener("abort", () => exchange.lost && over.abort(lostRight(exchange)), { once: true });
  return over.signal;
}

/** Whether a client accepts both forms of a response, which the SDK looks for by their names. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 */
function acceptsBoth(accept = ""): boolean {
  const ranges = (accept || "*/*").split(",").map((range) => range.split(";", 1).join("").trim().toLowerCase());
  const accepts = (type: string): boolean =>
    ["*/*", type, type.replace(/\/.*/, "/*")].some((one) => ranges.includes(one));
  return accepts("application/json") && accepts("text/event-stream");
}

/** Tells clients of one program apart, whose requests can have the same ids. Nothing is kept of a session. */
const sessionHeader = "mcp-session-id";

/**
 * Cancels the call that a notification names, or since version 2026-07-28 that of a client that disconnects, unless its `request_id` lets it be
 * repeated. Returns the name of the call. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
 */
function watchCancellation(
  { request: { headers, socket }, response }: Exchange,
  { id, method, params }: Partial<JSONRPCRequest>,
  cancel: (name: string) => unknown,
): string {
  const { _meta: meta, requestState: taskId, requestId, arguments: given } = params ?? {};
  const client = headers[sessionHeader] ?? meta?.[CLIENT_INFO_META_KEY];
  const nameOf = (one: unknown): string => hash("sha256", JSON.stringify([client, one]), "base64url");
  if (method === "notifications/cancelled") cancel(nameOf(requestId));
  const name = typeof taskId === "string" ? taskId : `${nameOf(id)} ${randomUUID()}`;
  const { request_id: key = meta?.[requestIdMeta] } = (given ?? {}) as { readonly request_id?: unknown };
  const isCanceledByEnd = meta?.[PROTOCOL_VERSION_META_KEY] !== undefined && key === undefined;
  response.once("close", () => {
    // This server ends connections when it stops.
    const isGone = !response.writableFinished && (socket.readableEnded || socket.errored !== null);
    if (isCanceledByEnd && isGone) cancel(name);
  });
  return name;
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
class RefusedMessage extends ZoneError {
  readonly #id: unknown;

  constructor(kind: ErrorKind, problems: readonly ParamProblem[], id: unknown = null) {
    super(kind, { problems: [...problems] });
    this.#id = id;
  }

  answerTo(exchange: Exchange, headers: readonly string[]): void {
    const error = { ...errorToJson(this, exchange.correlationId), message: errorWords(this.kind, this.data) };
    const body = JSON.stringify({ jsonrpc: "2.0", error, id: this.#id });
    answer(exchange.response, this.#id === null ? 400 : 200, { contentType: "application/json", body, headers });
  }
}

/** Returns the JSON of a body, or why it is no message. The limits of the SDK don't apply to a body that was read here. */
function readMessage(body: Uint8Array, maxDepth: number): unknown {
  try {
    const message = parseExactJson(body, { maxDepth });
    if (!Array.isArray(message)) return withoutNullParams(message);
    return invalid([{ pointer: "", message: "MCP has no batches; send one message at a time" }]);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, problems, value } = error;
    if (kind === "not_utf8" || kind === "not_json") return new RefusedMessage("parse_error", problems);
    const isOfParams = problems.every(({ pointer }) => pointer.startsWith("/params"));
    return isOfParams ? new RefusedMessage("invalid_params", problems, ownMember(value, "id")) : invalid(problems);
  }
}

/** Many clients send null for a member that is absent, such as `arguments` or `cursor`. */
function withoutNullParams(message: unknown): unknown {
  if (!isObject(message) || !isObject(message["params"])) return message;
  const params = Object.entries(message["params"]).filter(([, member]) => member !== null);
  return { ...message, params: Object.fromEntries(params) };
}

const invalid = (problems: readonly ParamProblem[]): RefusedMessage => new RefusedMessage("invalid_request", problems);

/** How long clients can use a list of tools, milliseconds. A call is judged by the agents and grants of its own time. */
const listTtlMs = 60_000;

const instructions =
  "Asks agents and runs workflows. Long work returns a task_id: call get_task with it until the state is final. " +
  "Send the context_id of a result to continue its conversation.";

/** Serves `/mcp`: the agents and workflows that a program may ask, as tools. */
export function createMcpRoutes(deps: AskRoutesDeps) {
  return createMcpRoute({ ...deps, createServer: (request, era) => createAskServer(deps, request, era === "modern") });
}

function createAskServer(deps: AskRoutesDeps, request: McpRequest, isModern: boolean): Server {
  const { ask, emit, version, limits } = deps;
  const { asker, correlationId, call } = request;
  const server = new Server(
    { name: "crosszone", title: "Crosszone", version },
    {
      capabilities: { tools: {}, extensions: isModern ? { [tasksExtension]: {} } : undefined },
      instructions,
      cacheHints: { "tools/list": { ttlMs: listTtlMs, cacheScope: "private" } },
      // A state is the id of a task. Only its own program finds the task, so a state needs no signature.
      requestState: { verify: (taskId: string) => ask.find(asker, taskId) },
    },
  );
  const callOf = (context: ServerContext): McpCall => ({
    ask,
    asker,
    request: { asker, surface: "mcp", correlationId, traceparent: traceparentOf(context, request), call },
    client: clientOf(context),
    hops: hopsOf(context),
    whileGranted: request.whileGranted,
    holdMs: limits.maxWaitMs,
  });
  const failed = (cause: unknown): ZoneError => {
    const known = errorForCallers(cause);
    if (known instanceof ZoneError && known.kind !== "internal") return known;
    const { code } = errorTable.internal;
    emit("http_failed", { kind: "internal", code, correlation_id: correlationId, cause });
    return new ZoneError("internal", { correlation_id: correlationId });
  };
  const rejected = (): void => deps.rejected?.(asker, "mcp", { action: "ask.tool", because: "unknown tool" });
  const tools = { callOf, failed, rejected };
  serveTools(server, tools);
  if (isModern) serveTasks(server, tools);
  return server;
}

const traceparentOf = ({ mcpReq }: ServerContext, { traceparent }: McpRequest): string | undefined => {
  const { _meta } = mcpReq;
  const sent = _meta?.["traceparent"];
  return readTraceparent(typeof sent === "string" ? sent : traceparent);
};

const params = z.looseObject({ taskId: z.string() });

/**
 * Serves the extension `io.modelcontextprotocol/tasks`. Each task of the program is a task of MCP with the same id.
 * https://github.com/modelcontextprotocol/ext-tasks
 */
function serveTasks(server: Server, { callOf, failed }: ToolsDeps): void {
  const serve = (
    method: string,
    run: (call: McpCall, taskId: string, context: ServerContext) => Promise<Result>,
  ): void =>
    server.setRequestHandler(method, { params }, ({ taskId }, context) =>
      run(callOf(context), taskId, context).catch((error: unknown) => throwProtocolError(failed(error))),
    );
  serve("tasks/get", async (call, taskId) => detailedTask(await call.ask.find(call.asker, taskId), call));
  serve("tasks/update", async (call, taskId, { mcpReq }) => {
    await answerElicited(call, await call.ask.find(call.asker, taskId), mcpReq.inputResponses);
    return {};
  });
  serve("tasks/cancel", async ({ ask, asker }, taskId) => {
    const { state } = await ask.find(asker, taskId);
    if (!isFinal(state)) await ask.cancelCall(asker, taskId);
    return {};
  });
}

/** Returns a task with its result, or with what its client can answer. */
function detailedTask(task: AskedTask, { asker: { actor }, client }: McpCall): Result {
  const { state, inputs } = task;
  const shown = mcpTaskOf(task);
  if (state === "canceled") return { ...shown, status: "cancelled" };
  const inputRequests = elicitationsOf(task, actor, client);
  if (Object.keys(inputRequests).length > 0) return { ...shown, status: "input_required", inputRequests };
  // Without elicitation only a model can answer, by a tool, and a model reads only results.
  if (isFinal(state) || inputs.some((input) => canAnswer(input, actor)))
    return { ...shown, status: "completed", result: { resultType: "complete", ...toolResultOf(task, actor) } };
  return inputs.length > 0 ? { ...shown, statusMessage: openWords(task, actor) } : shown;
}
