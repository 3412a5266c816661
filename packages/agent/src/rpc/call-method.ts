import {
  objectAt,
  memberOf,
  stringAt,
  type JsonObject,
  isDeeperThan,
  isObject,
  RpcError,
  withoutPush,
} from "../a2a/check.ts";
import { checkModes } from "../a2a/read-message.ts";
import { readHistoryLength, type Operation, type Version } from "../a2a/version.ts";
import { createEventReader, untilIdle, type EventReader, type RunningTask } from "../tasks/running-task.ts";
import { listTasks } from "../tasks/list-tasks.ts";
import { isEnded, snapshotOf } from "../tasks/task-record.ts";
import type { TaskService } from "../tasks/task-service.ts";

/** The caller and the version of a request. */
export interface CallContext {
  readonly service: TaskService;
  readonly version: Version;
  readonly owner: string;
  /** Media types that the agent accepts. */
  readonly inputModes: readonly string[];
}

/** The result of a method: a value, or events. */
export type Outcome = { readonly result: object } | { readonly events: EventReader };

type Method = (params: JsonObject, context: CallContext) => Outcome | Promise<Outcome>;

/** Calls a method of A2A. Throws an `RpcError`. */
export async function callMethod({ method, params }: RpcRequest, context: CallContext): Promise<Outcome> {
  const { operations, name } = context.version;
  const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
  if (operation === undefined) {
    const other = name === "0.3" ? "1.0" : "0.3";
    throw new RpcError(
      "METHOD_NOT_FOUND",
      `Method not found in A2A ${name}: ${method.slice(0, 80)}. For A2A ${other}, send the header A2A-Version: ${other}.`,
    );
  }
  return await methods[operation](objectAt(params ?? {}, "params"), context);
}

const methods: Readonly<Record<Operation, Method>> = {
  send: async (params, context) => {
    const { isBlocking, historyLength, running } = send(params, context);
    if (isBlocking) await untilIdle(running.record);
    return { result: context.version.writeSent(snapshotOf(running.record, { historyLength })) };
  },
  stream: (params, context) => {
    const { historyLength, running } = send(params, context);
    return { events: createEventReader(running.record, historyLength) };
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
    if (isEnded(running.record)) throw new RpcError("TASK_NOT_CANCELABLE", "The task has ended. It can't be canceled.");
    running.cancel();
    return { result: context.version.writeTask(snapshotOf(running.record)) };
  },
  subscribe: (params, context) => {
    const { record } = find(params, context);
    if (isEnded(record)) throw new RpcError("UNSUPPORTED_OPERATION", "The task has ended. Get it instead.");
    return { events: createEventReader(record) };
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

/** Levels of arrays and objects. */
const maxDepth = 64;

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** Returns the JSON value of a body. Throws an `RpcError` for one that is not JSON in UTF-8 or is nested too deeply. */
export function parseJson(body: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new RpcError("PARSE_ERROR", "Parse error: the body is not JSON");
  }
  if (isDeeperThan(value, maxDepth)) throw refused(`the body is nested deeper than ${maxDepth} levels`);
  return value;
}

/** Returns the id to answer with: that of the request where it is a valid one. */
export function idOf(value: unknown): RpcId {
  const id = isObject(value) ? value["id"] : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Whether a value is a request without an id, which gets no response. All methods of A2A have results, so it does nothing. */
export const isNotification = (value: unknown): boolean =>
  isObject(value) && value["jsonrpc"] === "2.0" && typeof value["method"] === "string" && !Object.hasOwn(value, "id");

/** Checks that a value is a request of JSON-RPC 2.0. Throws an `RpcError` that says what is wrong. */
export function readRequest(value: unknown): RpcRequest {
  if (Array.isArray(value)) throw refused("A2A has no batches. Send one request at a time");
  if (!isObject(value)) throw refused("the body is not an object");
  const { jsonrpc, method, params, id } = value;
  if (jsonrpc !== "2.0") throw refused('jsonrpc must be "2.0"');
  if (typeof id !== "string" && typeof id !== "number" && id !== null) throw refused("id must be a string or a number");
  if (typeof method !== "string") throw refused("method must be a string");
  if (params !== undefined && typeof params !== "object") throw refused("params must be an object");
  return { id, method, params };
}

const refused = (problem: string): RpcError => new RpcError("INVALID_REQUEST", `Invalid request: ${problem}`);
