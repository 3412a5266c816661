import { createHash } from "node:crypto";
import {
  type A2AAnswer,
  type AgentOperations,
  answerCall,
  bearerSecurity,
  cardInterfaces,
  defined,
  endedStream,
  errorAnswer,
  refusedRequest,
  RpcError,
  statedVersion,
} from "@crosszone/a2a";
import type { AgentOptions } from "./agent-definition.ts";
import { createAuthentication, type KitRequest, readPostBody } from "./http-request.ts";
import {
  createTaskReader,
  type EventReader,
  isTaskEnded,
  listTasks,
  snapshotOf,
  untilIdle,
} from "./tasks/task-record.ts";
import type { TaskService } from "./tasks/task-service.ts";

/** Returns what the agent does for a caller. */
function operationsFor(
  owner: string,
  service: TaskService,
  inputModes: readonly string[],
): AgentOperations<EventReader> {
  const find = (id: string) => service.find({ owner, id });
  return {
    inputModes,
    send: async ({ message, isBlocking }) => {
      const { record } = service.send(owner, message);
      if (isBlocking) await untilIdle(record);
      return snapshotOf(record);
    },
    stream: async (message) => createTaskReader(service.send(owner, message).record),
    get: async (id) => snapshotOf(find(id).record),
    list: async (request) => {
      const records = [...service.all()].map(({ record }) => record);
      return listTasks(
        records.filter((record) => record.owner === owner),
        request,
      );
    },
    cancel: async (id) => {
      const running = find(id);
      if (isTaskEnded(running.record))
        throw new RpcError("TASK_NOT_CANCELABLE", "The task has ended. It can't be canceled.");
      running.cancel();
      return snapshotOf(running.record);
    },
    subscribe: async (id) => {
      const { record } = find(id);
      if (isTaskEnded(record)) throw endedStream();
      return createTaskReader(record);
    },
  };
}

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
  const authenticate = createAuthentication(options);
  const { inputModes = defaultInputModes, skills = [], maxBodyBytes = defaultMaxBody } = options;
  const modes = [...inputModes, ...skills.flatMap((skill) => skill.inputModes ?? [])];
  const startedAt = new Date().toUTCString();
  const asRpcError = (error: unknown): RpcError => {
    if (error instanceof RpcError) return error;
    onError(error, "");
    return new RpcError("INTERNAL", "Internal error");
  };

  function answerCard({ url, headers }: KitRequest): Response {
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
    return responseOf({ status: 200, headers: cached, body });
  }

  return async (request) => {
    const { method } = request;
    const { pathname } = new URL(request.url);
    if (method === "GET" || method === "HEAD") {
      if (pathname.endsWith(cardPath)) return answerCard(request);
      if (pathname.endsWith("/healthz")) return Response.json({ status: "ok" });
    }
    const stated = statedVersion(request.headers.get("a2a-version"), request.url);
    if (method !== "POST") {
      const words = `send JSON-RPC with POST. The agent card is at ${cardPath}.`;
      return responseOf(errorAnswer(refusedRequest(405, words, { allow: "POST" }), stated));
    }
    let owner = "";
    const readBody = async (): Promise<Uint8Array> => {
      owner = await authenticate(request);
      return readPostBody(request, maxBodyBytes);
    };
    const open = async () => operationsFor(owner, service, modes);
    const answer = await answerCall({ stated, readBody }, open, asRpcError);
    return "events" in answer ? eventStream(answer.events, answer.write) : responseOf(answer);
  };
}

const responseOf = ({ status, headers, body }: A2AAnswer): Response =>
  body === undefined
    ? new Response(null, { status })
    : new Response(body, { status, headers: { "content-type": "application/json", ...headers } });

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
