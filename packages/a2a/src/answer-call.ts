import {
  defined,
  errorObject,
  invalid,
  type JsonObject,
  memberOf,
  RpcError,
  stringAt,
  unsupported,
  withoutPush,
} from "./check.ts";
import { checkModes } from "./read-message.ts";
import {
  idOf,
  isNotification,
  type ListRequest,
  parseJson,
  readListRequest,
  readRequest,
  type RpcId,
} from "./request.ts";
import type { StreamEvent, WireMessage, WireTask } from "./types.ts";
import {
  answerVersion,
  findOperation,
  type Operation,
  readHistoryLength,
  type SendRequest,
  type Version,
  versionOf,
} from "./version.ts";

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

/** A request by POST, as far as A2A reads it. */
interface PostedCall {
  /** The version that it states, as text. */
  readonly stated: string;
  readonly readBody: () => Promise<Uint8Array>;
  readonly maxDepth?: number;
}

/**
 * Answers a request of JSON-RPC. `open` returns what its caller may do. `asRpcError` decides what the caller learns of anything that is
 * thrown. The body is not kept while a stream is open.
 */
export async function answerCall<Events>(
  { stated, readBody, maxDepth }: PostedCall,
  open: (version: Version) => Promise<AgentOperations<Events>>,
  asRpcError: (error: unknown) => RpcError,
): Promise<A2AAnswer | A2AStream<Events>> {
  // The response to a failure has it as well, as soon as it is known.
  let id: RpcId = null;
  const write = (result: object): object => ({ jsonrpc: "2.0", id, result });
  const fail = (error: unknown): Required<A2AAnswer> => errorAnswer(asRpcError(error), stated, { id });
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

function readSend({ params, version, agent }: Operated<unknown>): SendRequest {
  const sent = version.readSend(params);
  checkModes(sent.message.parts, agent.inputModes);
  return sent;
}

const idIn = (params: JsonObject): string => stringAt(memberOf(params, "id"), "id");

const callers: Readonly<Record<Operation, (operated: Operated<unknown>) => Promise<Outcome<unknown>>>> = {
  send: async (operated) => {
    const sent = readSend(operated);
    return { result: operated.version.writeSent(seen(await operated.agent.send(sent), sent)) };
  },
  stream: async (operated) => {
    const { message, historyLength } = readSend(operated);
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
    if (agent.extendedCard === undefined) throw withoutExtendedCard(version);
    return { result: await agent.extendedCard() };
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

const withoutExtendedCard = ({ name }: Version): RpcError =>
  new RpcError(
    name === "1.0" ? "UNSUPPORTED_OPERATION" : "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    "This agent has no extended card. Its card is complete.",
  );

/** Returns the answer to a request that failed, in the form of the version that it states. */
export function errorAnswer(
  error: RpcError,
  stated: string,
  { id: known = null, status: usual = 200 }: { readonly id?: RpcId; readonly status?: number } = {},
): Required<A2AAnswer> {
  const { status = usual, headers = {}, id = known } = error.details;
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
