import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import {
  defined,
  errorObject,
  invalid,
  isObject,
  type JsonObject,
  memberOf,
  objectAt,
  optionalBoolean,
  optionalInteger,
  optionalString,
  RpcError,
  stringAt,
  unsupported,
  withoutPush,
} from "./check.ts";
import { checkModes } from "./read-message.ts";
import { type AnyTaskState, isTaskState, type StreamEvent, type WireMessage, type WireTask } from "./types.ts";
import {
  answerVersion,
  findOperation,
  type Operation,
  readHistoryLength,
  readSend,
  type SendRequest,
  type Version,
  versionOf,
} from "./version.ts";

/** The params of `ListTasks`. */
export interface ListRequest {
  readonly contextId: string | undefined;
  readonly state: AnyTaskState | undefined;
  /** Unix milliseconds, inclusive. */
  readonly changedSince: number | undefined;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
  readonly historyLength: number | undefined;
  readonly includeArtifacts: boolean;
}

/** A page of the tasks of a caller. */
export interface TaskPage {
  readonly tasks: readonly WireTask[];
  /** The token of the next page. Absent when this one is the last. */
  readonly next?: string | undefined;
  /** How many tasks all pages have. */
  readonly total: number;
}

/** What an agent does for one caller, with whole tasks. `Events` is how its server reads a stream. */
export interface AgentOperations<Events> {
  /** Media types that the agent accepts. */
  readonly inputModes: readonly string[];
  /** A blocking one resolves when the task has ended or waits. */
  readonly send: (sent: SendRequest) => Promise<WireTask>;
  readonly stream: (message: WireMessage) => Promise<Events>;
  readonly get: (id: string) => Promise<WireTask>;
  readonly list: (request: ListRequest) => Promise<TaskPage>;
  readonly cancel: (id: string) => Promise<WireTask>;
  readonly subscribe: (id: string) => Promise<Events>;
  /** Absent when the card of the agent is complete. */
  readonly extendedCard?: () => Promise<object>;
}

/** An answer of HTTP in JSON. Without a body, it answers a notification. */
export interface A2AAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer that streams events, and how each is written. */
export interface A2AStream<Events> {
  readonly events: Events;
  readonly write: (event: StreamEvent) => object;
  /** Returns the answer for an error in the stream, or before it. */
  readonly fail: (error: unknown) => Required<A2AAnswer>;
}

/**
 * Answers a request of JSON-RPC by POST. `stated` is the version that it states. `open` returns what its caller may do. `asRpcError` decides
 * what the caller learns of anything that is thrown. The body is not kept while a stream is open.
 */
export async function answerCall<Events>(
  { stated, readBody, maxDepth }: { stated: string; readBody: () => Promise<Uint8Array>; maxDepth?: number },
  open: (version: Version) => Promise<AgentOperations<Events>>,
  asRpcError: (error: unknown) => RpcError,
): Promise<A2AAnswer | A2AStream<Events>> {
  // The response to a failure has it as well, as soon as it is known.
  let id: RpcId = null;
  const write = (result: object): object => ({ jsonrpc: "2.0", id, result });
  const fail = (error: unknown): Required<A2AAnswer> => errorAnswer(asRpcError(error), stated, id);
  try {
    const value = parseJson(await readBody(), maxDepth);
    if (isNotification(value)) return { status: 204, headers: {} };
    id = idOf(value);
    const version = versionOf(stated);
    const agent = await open(version);
    const { method, params } = readRequest(value);
    const call = callers[findOperation(version, method)] as (operated: Operated<Events>) => Promise<Outcome<Events>>;
    const outcome = await call({ params, version, agent });
    if ("result" in outcome) return { status: 200, headers: {}, body: JSON.stringify(write(outcome.result)) };
    const { events, historyLength } = outcome;
    const shown = (event: StreamEvent): StreamEvent =>
      "task" in event ? { task: seen(event.task, { historyLength }) } : event;
    return { events, write: (event) => write(version.writeEvent(shown(event))), fail };
  } catch (error) {
    return fail(error);
  }
}

type Outcome<Events> =
  { readonly result: object } | { readonly events: Events; readonly historyLength?: number | undefined };

/** What an operation is called with. */
interface Operated<Events> {
  readonly params: JsonObject;
  readonly version: Version;
  readonly agent: AgentOperations<Events>;
}

function readSent({ params, version, agent }: Operated<unknown>): SendRequest {
  const sent = readSend(version, params);
  checkModes(sent.message.parts, agent.inputModes);
  return sent;
}

const idIn = (params: JsonObject): string => stringAt(memberOf(params, "id"), "id");

const callers: Readonly<Record<Operation, (operated: Operated<unknown>) => Promise<Outcome<unknown>>>> = {
  send: async (operated) => {
    const sent = readSent(operated);
    return { result: operated.version.writeSent(seen(await operated.agent.send(sent), sent)) };
  },
  stream: async (operated) => {
    const { message, historyLength } = readSent(operated);
    return { events: await operated.agent.stream(message), historyLength };
  },
  get: async ({ params, version, agent }) => {
    const historyLength = readHistoryLength(params, "historyLength");
    return { result: version.writeTask(seen(await agent.get(idIn(params)), { historyLength })) };
  },
  list: async ({ params, agent }) => {
    const request = readListRequest(params);
    const { tasks, next = "", total } = await agent.list(request);
    const shown = tasks.map((task) => seen(task, request));
    return { result: { tasks: shown, nextPageToken: next, pageSize: request.pageSize, totalSize: total } };
  },
  cancel: async ({ params, version, agent }) => ({ result: version.writeTask(await agent.cancel(idIn(params))) }),
  subscribe: async ({ params, agent }) => ({ events: await agent.subscribe(idIn(params)) }),
  push: async () => {
    throw withoutPush();
  },
  extendedCard: async ({ version, agent }) => {
    if (agent.extendedCard !== undefined) return { result: await agent.extendedCard() };
    const reason = version.name === "1.0" ? "UNSUPPORTED_OPERATION" : "EXTENDED_AGENT_CARD_NOT_CONFIGURED";
    throw new RpcError(reason, "This agent has no extended card. Its card is complete.");
  },
};

/** Returns what a request wants to see of a task: the newest messages of its history, and its artifacts. */
const seen = (
  task: WireTask,
  wanted: { readonly historyLength?: number | undefined; readonly includeArtifacts?: boolean },
): WireTask => {
  const { historyLength = Infinity, includeArtifacts = true } = wanted;
  const history = historyLength === 0 ? undefined : task.history?.slice(-historyLength);
  return defined({ ...task, history, artifacts: includeArtifacts ? task.artifacts : undefined });
};

/** Reads the params of `ListTasks`. Throws an `RpcError` that names the invalid one. */
function readListRequest(params: JsonObject): ListRequest {
  const member = (name: string): [unknown, string] => [memberOf(params, name), name];
  const status = optionalString(...member("status"));
  const state = status === "TASK_STATE_UNSPECIFIED" ? undefined : status;
  if (state !== undefined && !isTaskState(state)) throw invalid("status", "a state such as TASK_STATE_COMPLETED");
  const after = optionalString(...member("statusTimestampAfter"));
  const changedSince = after === undefined ? undefined : Date.parse(after);
  if (Number.isNaN(changedSince)) throw invalid("statusTimestampAfter", "a timestamp such as 2026-01-31T08:00:00Z");
  return {
    contextId: optionalString(...member("contextId")),
    state,
    changedSince,
    pageSize: optionalInteger(...member("pageSize"), [0, 100]) || 50,
    pageToken: optionalString(...member("pageToken")),
    historyLength: readHistoryLength(params, "historyLength"),
    includeArtifacts: optionalBoolean(...member("includeArtifacts")) === true,
  };
}

type RpcId = string | number | null;

/**
 * Returns the JSON value of a body. Throws an `RpcError` for one that is not JSON in UTF-8, that would change when it is read, or whose arrays
 * and objects are nested deeper than `maxDepth`.
 */
function parseJson(body: Uint8Array, maxDepth = 64): unknown {
  try {
    return parseExactJson(body, { maxDepth });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message, problems, value } = error;
    if (kind === "not_utf8" || kind === "not_json")
      throw new RpcError("PARSE_ERROR", `Parse error: the body ${message}`);
    const isOfParams = problems.every(({ pointer }) => pointer.startsWith("/params"));
    const [{ pointer: field } = { pointer: "" }] = problems;
    if (!isOfParams) throw refused(`the body ${message}`);
    throw new RpcError("INVALID_PARAMS", `Invalid params: the body ${message}`, { field, id: idOf(value) });
  }
}

/** Returns the id to answer with: that of the request where it is a valid one. */
function idOf(value: unknown): RpcId {
  const id = isObject(value) ? value["id"] : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Whether a value is a request without an id, which gets no response. All methods of A2A have results, so it does nothing. */
const isNotification = (value: unknown): boolean =>
  isObject(value) && value["jsonrpc"] === "2.0" && typeof value["method"] === "string" && !Object.hasOwn(value, "id");

/** Reads a request of JSON-RPC 2.0. Throws an `RpcError` that says what is wrong. */
function readRequest(value: unknown): { readonly method: string; readonly params: JsonObject } {
  if (Array.isArray(value)) throw refused("A2A has no batches. Send one request at a time");
  if (!isObject(value)) throw refused("the body is not an object");
  const { jsonrpc, method, params, id } = value;
  if (jsonrpc !== "2.0") throw refused('jsonrpc must be "2.0"');
  if (typeof id !== "string" && typeof id !== "number" && id !== null) throw refused("id must be a string or a number");
  if (typeof method !== "string") throw refused("method must be a string");
  if (params !== undefined && typeof params !== "object") throw refused("params must be an object");
  return { method, params: objectAt(params ?? {}, "params") };
}

const refused = (problem: string): RpcError => new RpcError("INVALID_REQUEST", `Invalid request: ${problem}`);

/** Returns the answer to a request that failed, in the form of the version that it states. */
export function errorAnswer(error: RpcError, stated: string, known: RpcId = null): Required<A2AAnswer> {
  const { status = 200, headers = {}, id = known } = error.details;
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: errorObject(error, answerVersion(stated)) });
  return { status, headers, body };
}

/** Returns the error of a request that HTTP refuses. */
export const refusedRequest = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): RpcError =>
  new RpcError(status === 415 ? "CONTENT_TYPE_NOT_SUPPORTED" : "INVALID_REQUEST", `Invalid request: ${message}`, {
    status,
    headers,
  });

/** Throws an `RpcError` unless a task waits for this message. */
export function checkReply(
  { contextId }: WireMessage,
  task: { readonly contextId: string; readonly hasEnded: boolean; readonly asks: boolean },
): void {
  if (contextId !== undefined && contextId !== task.contextId)
    throw invalid("message.contextId", "the context of the task, or absent");
  if (task.hasEnded) throw unsupported("The task has ended. Send the message without a task id.");
  if (!task.asks) throw unsupported("The task is working and asks nothing. Wait until its state is input-required.");
}

/** Returns the error for a stream of a task that has no more events. */
export const endedStream = (): RpcError => unsupported("The task has ended. Get it instead.");

/** Returns the error for a token that is not the `nextPageToken` of the same list. */
export const invalidPageToken = (): RpcError =>
  invalid("pageToken", "a nextPageToken of an earlier response to the same request");
