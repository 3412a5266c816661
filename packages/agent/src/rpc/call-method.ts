import {
  checkModes,
  findOperation,
  type JsonObject,
  memberOf,
  objectAt,
  type Operation,
  readHistoryLength,
  RpcError,
  type RpcRequest,
  stringAt,
  type Version,
  withoutPush,
} from "@crosszone/a2a";
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
