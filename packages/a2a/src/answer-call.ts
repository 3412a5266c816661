import {
  defined,
  errorObject,
  invalid,
  memberOf,
  objectAt,
  RpcError,
  stringAt,
  unsupported,
  withoutPush,
} from "./check.ts";
import { checkModes } from "./read-message.ts";
import { idOf, isNotification, type ListRequest, parseJson, readListRequest, readRequest } from "./request.ts";
import type { RpcId, RpcRequest } from "./request.ts";
import type { StreamEvent, WireMessage, WireTask } from "./types.ts";
import {
  answerVersion,
  findOperation,
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
    const operations = await open(version);
    const outcome = await callOperation(readRequest(value), version, operations);
    if ("result" in outcome) return { status: 200, headers: {}, body: JSON.stringify(write(outcome.result)) };
    const { events, historyLength } = outcome;
    const shown = (event: StreamEvent): StreamEvent =>
      "task" in event ? { task: seen(event.task, { historyLength }) } : event;
    return { events, write: (event) => write(version.writeEvent(shown(event))), fail };
  } catch (error) {
    return fail(error);
  }
}

async function callOperation<Events>(
  { method, params: given }: RpcRequest,
  version: Version,
  agent: AgentOperations<Events>,
): Promise<{ readonly result: object } | { readonly events: Events; readonly historyLength?: number | undefined }> {
  const operation = findOperation(version, method);
  const params = objectAt(given ?? {}, "params");
  const readSend = (): SendRequest => {
    const sent = version.readSend(params);
    checkModes(sent.message.parts, agent.inputModes);
    return sent;
  };
  const readId = (): string => stringAt(memberOf(params, "id"), "id");
  switch (operation) {
    case "send": {
      const sent = readSend();
      return { result: version.writeSent(seen(await agent.send(sent), sent)) };
    }
    case "stream": {
      const { message, historyLength } = readSend();
      return { events: await agent.stream(message), historyLength };
    }
    case "get": {
      const historyLength = readHistoryLength(params, "historyLength");
      return { result: version.writeTask(seen(await agent.get(readId()), { historyLength })) };
    }
    case "list": {
      const request = readListRequest(params);
      const { tasks, next = "", total } = await agent.list(request);
      const shown = tasks.map((task) => seen(task, request));
      return { result: { tasks: shown, nextPageToken: next, pageSize: request.pageSize, totalSize: total } };
    }
    case "cancel":
      return { result: version.writeTask(await agent.cancel(readId())) };
    case "subscribe":
      return { events: await agent.subscribe(readId()) };
    case "push":
      throw withoutPush();
    case "extendedCard":
      if (agent.extendedCard === undefined) throw withoutExtendedCard(version);
      return { result: await agent.extendedCard() };
  }
}

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
