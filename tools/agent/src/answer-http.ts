import { createHash } from "node:crypto";
import {
  bearerSecurity,
  cardInterfaces,
  checkModes,
  defined,
  errorObject,
  findOperation,
  answerVersion,
  idOf,
  isNotification,
  type JsonObject,
  memberOf,
  objectAt,
  type Operation,
  parseJson,
  readHistoryLength,
  readRequest,
  RpcError,
  type RpcId,
  type RpcRequest,
  statedVersion,
  stringAt,
  type Version,
  versionOf,
  withoutPush,
} from "@crosszone/a2a";
import type { AgentOptions } from "./agent-definition.ts";
import { createAuthentication, type KitRequest, readPostBody } from "./http-request.ts";
import { createTaskReader, type EventReader, type RunningTask, untilIdle } from "./tasks/running-task.ts";
import { isTaskEnded, listTasks, snapshotOf } from "./tasks/task-record.ts";
import type { TaskService } from "./tasks/task-service.ts";

/** The caller and the version of a request. */
interface CallContext {
  readonly service: TaskService;
  readonly version: Version;
  readonly owner: string;
  /** Media types that the agent accepts. */
  readonly inputModes: readonly string[];
}

/** The result of a method: a value, or events. */
type Outcome = { readonly result: object } | { readonly events: EventReader };

type Method = (params: JsonObject, context: CallContext) => Outcome | Promise<Outcome>;

/** Calls a method of A2A. Throws an `RpcError`. */
async function callMethod({ method, params }: RpcRequest, context: CallContext): Promise<Outcome> {
  return await methods[findOperation(context.version, method)](objectAt(params ?? {}, "params"), context);
}

const methods: Readonly<Record<Operation, Method>> = {
  send: async (params, context) => {
    const { isBlocking, historyLength, running } = send(params, context);
    if (isBlocking) await untilIdle(running.record);
    return { result: context.version.writeSent(snapshotOf(running.record, { historyLength })) };
  },
  stream: (params, context) => {
    const { historyLength, running } = send(params, context);
    return { events: createTaskReader(running.record, historyLength) };
  },
  get: (params, context) => {
    const { record } = find(params, context);
    const historyLength = readHistoryLength(params, "historyLength");
    return { result: context.version.writeTask(snapshotOf(record, { historyLength })) };
  },
  list: (params, { service, owner }) => {
    const records = [...service.all()].map(({ record }) => record).filter((record) => record.owner === owner);
    return { result: listTasks(records, params) };
  },
  cancel: (params, context) => {
    const running = find(params, context);
    if (isTaskEnded(running.record))
      throw new RpcError("TASK_NOT_CANCELABLE", "The task has ended. It can't be canceled.");
    running.cancel();
    return { result: context.version.writeTask(snapshotOf(running.record)) };
  },
  subscribe: (params, context) => {
    const { record } = find(params, context);
    if (isTaskEnded(record)) throw new RpcError("UNSUPPORTED_OPERATION", "The task has ended. Get it instead.");
    return { events: createTaskReader(record) };
  },
  push: () => {
    throw withoutPush();
  },
  extendedCard: (_params, { version }) => {
    const reason = version.name === "1.0" ? "UNSUPPORTED_OPERATION" : "EXTENDED_AGENT_CARD_NOT_CONFIGURED";
    throw new RpcError(reason, "This agent has no extended card. Its card is complete.");
  },
};

function send(params: JsonObject, { service, version, owner, inputModes }: CallContext) {
  const { message, ...request } = version.readSend(params);
  checkModes(message.parts, inputModes);
  return { ...request, running: service.send(owner, message) };
}

const find = (params: JsonObject, { service, owner }: CallContext): RunningTask =>
  service.find({ owner, id: stringAt(memberOf(params, "id"), "id") });

const defaultMaxBody = 10 * 1024 * 1024;
const cardPath = "/.well-known/agent-card.json";

/** Answers an HTTP request. Never rejects. */
export type AnswerHttp = (request: KitRequest) => Promise<Response>;

/** The agent over HTTP: its card, `/healthz`, and JSON-RPC at any other path. */
export function createAnswerHttp(
  options: AgentOptions,
  service: TaskService,
  onError: (error: unknown, taskId: string) => void,
): AnswerHttp {
  const answerCard = createCardAnswer(options);
  const answerRpc = createRpcAnswer(options, service, onError);
  return async (request) => {
    const { method } = request;
    const { pathname } = new URL(request.url);
    if (method === "GET" || method === "HEAD") {
      if (pathname.endsWith(cardPath)) return answerCard(request);
      if (pathname.endsWith("/healthz")) return Response.json({ status: "ok" });
    }
    if (method === "POST") return await answerRpc(request);
    const message = `Invalid request: send JSON-RPC with POST. The agent card is at ${cardPath}.`;
    const error = new RpcError("INVALID_REQUEST", message, { status: 405, headers: { allow: "POST" } });
    return errorResponse(request, error);
  };
}

function createCardAnswer(options: AgentOptions): (request: KitRequest) => Response {
  const startedAt = new Date().toUTCString();
  return ({ url, headers }) => {
    const here = new URL(url);
    const base = options.url ?? here.origin + here.pathname.slice(0, -cardPath.length + 1);
    const body = JSON.stringify(createCard(options, base));
    const tag = tagOf(body);
    const cached = {
      etag: tag,
      "last-modified": startedAt,
      // A card with the URL of its request is not the same for everybody.
      "cache-control": options.url === undefined ? "private, max-age=60" : "public, max-age=300",
    };
    if (headers.get("if-none-match") === tag) return new Response(null, { status: 304, headers: cached });
    return new Response(body, { headers: { "content-type": "application/json", ...cached } });
  };
}

function createRpcAnswer(
  options: AgentOptions,
  service: TaskService,
  onError: (error: unknown, taskId: string) => void,
): (request: KitRequest) => Promise<Response> {
  const authenticate = createAuthentication(options);
  const { inputModes = defaultInputModes, skills = [], maxBodyBytes = defaultMaxBody } = options;
  const modes = [...inputModes, ...skills.flatMap((skill) => skill.inputModes ?? [])];
  return async (request) => {
    let id: RpcId = null;
    try {
      const owner = await authenticate(request);
      const body = parseJson(await readPostBody(request, maxBodyBytes));
      if (isNotification(body)) return new Response(null, { status: 204 });
      id = idOf(body);
      const version = versionOf(versionIn(request));
      const context = { service, version, owner, inputModes: modes };
      const outcome = await callMethod(readRequest(body), context);
      if ("result" in outcome) return Response.json({ jsonrpc: "2.0", id, result: outcome.result });
      const { writeEvent } = version;
      return eventStream(outcome.events, (event) => ({ jsonrpc: "2.0", id, result: writeEvent(event) }));
    } catch (error) {
      if (!(error instanceof RpcError)) onError(error, "");
      const shown = error instanceof RpcError ? error : new RpcError("INTERNAL", "Internal error");
      return errorResponse(request, shown, id);
    }
  };
}

const versionIn = ({ headers, url }: KitRequest): string => statedVersion(headers.get("a2a-version"), url);

/** Returns an error in the form of the version that the request states. */
function errorResponse(request: KitRequest, error: RpcError, id: RpcId = null): Response {
  const { status = 200, headers = {}, id: known = id } = error.details;
  const body = { jsonrpc: "2.0", id: known, error: errorObject(error, answerVersion(versionIn(request))) };
  return Response.json(body, { status, headers: { ...headers } });
}

/** How often a silent stream sends a comment, so that proxies keep it open, milliseconds. */
const keepAliveMs = 15_000;

/** Returns a response that streams events as Server-Sent Events, each when the client has taken the one before. */
export function eventStream<Event>(
  events: { readonly next: () => Promise<Event | undefined>; readonly close: () => void },
  write: (event: Event) => object,
): Response {
  const encoder = new TextEncoder();
  let next: Promise<Event | undefined> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        next ??= events.next();
        const event = await orSilence(next);
        if (event === silence) return controller.enqueue(encoder.encode(": keep-alive\n\n"));
        next = undefined;
        if (event === undefined) return controller.close();
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(write(event))}\n\n`));
      },
      cancel: () => events.close(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" },
  });
}

const silence = Symbol("silence");

async function orSilence<T>(work: Promise<T>): Promise<T | typeof silence> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof silence>((resolve) => (timer = setTimeout(resolve, keepAliveMs, silence)));
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The media types that an agent accepts without `inputModes`. Crosszone sends the question as text, programs send data. */
const defaultInputModes: readonly string[] = ["text/plain", "application/json"];

/**
 * Returns the agent card at a URL. It is valid for A2A 1.0 and 0.3 at once: readers ignore members of the other version.
 * https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
function createCard(options: AgentOptions, url: string): object {
  const { name, description, inputModes = defaultInputModes, outputModes = ["text/plain"] } = options;
  const { iconUrl, documentationUrl, provider } = options;
  return defined({
    name,
    description,
    version: options.version ?? "1.0.0",
    ...cardInterfaces(url),
    capabilities: { streaming: true },
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: skillsOf(options),
    iconUrl,
    documentationUrl,
    provider,
    ...(options.token !== undefined && options.authenticate === undefined && bearerSecurity([])),
    ...options.card,
  });
}

function skillsOf({ name, description, skills = [{ name }] }: AgentOptions): readonly object[] {
  return skills.map((skill) =>
    defined({
      id: skill.id ?? skillIdOf(skill.name),
      name: skill.name,
      description: skill.description ?? description,
      tags: skill.tags ?? ["agent"],
      examples: skill.examples,
      inputModes: skill.inputModes,
      outputModes: skill.outputModes,
    }),
  );
}

/** `Count words!` is `count-words`. */
const skillIdOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "") || "skill";

/** Returns the entity tag of a body. */
const tagOf = (body: string): string => `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
