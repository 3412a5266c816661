import { createHmac, timingSafeEqual } from "node:crypto";
import {
  checkModes,
  findOperation,
  invalidPageToken,
  type JsonObject,
  memberOf,
  objectAt,
  type Operation,
  readHistoryLength,
  readListRequest,
  RpcError,
  type RpcRequest,
  stringAt,
  withoutPush,
} from "@crosszone/a2a";
import type { TaskState } from "@crosszone/contracts";
import { endSeq } from "../../ask/asked-task.ts";
import type { AskFilter, ListPlace } from "../../tasks/sql/asked-tasks.ts";
import { isFinal } from "../../tasks/task.ts";
import { inputModes } from "./agent-card.ts";
import type { CallContext } from "./call-context.ts";
import { sendMessage } from "./send-message.ts";
import { type IdentifiedEvent, streamTask } from "./stream-task.ts";
import { wireTask } from "./wire-task.ts";

/** The result of an operation: a value, or events. */
export type Outcome = { readonly result: object } | { readonly events: AsyncGenerator<IdentifiedEvent, void> };

/** Calls the method of a request. Throws an `RpcError` or a `ZoneError`. */
export async function callOperation({ method, params }: RpcRequest, context: CallContext): Promise<Outcome> {
  return await operations[findOperation(context.version, method)](objectAt(params ?? {}, "params"), context);
}

const operations: Readonly<Record<Operation, (params: JsonObject, context: CallContext) => Promise<Outcome>>> = {
  send: async (params, context) => {
    const { version, hitl } = context;
    const { historyLength, ...sent } = readSend(params, context);
    const task = await sendMessage(context, sent);
    return { result: version.writeSent(wireTask(task, { historyLength, hitl })) };
  },
  stream: async (params, context) => {
    const { message, historyLength } = readSend(params, context);
    const task = await sendMessage(context, { message, isBlocking: false });
    return { events: streamTask(context, task, { historyLength }) };
  },
  get: async (params, context) => {
    const historyLength = readHistoryLength(params, "historyLength");
    const task = await context.find(idIn(params));
    return { result: context.version.writeTask(wireTask(task, { historyLength, hitl: context.hitl })) };
  },
  list: async (params, context) => ({ result: await listTasks(params, context) }),
  cancel: async (params, { ask, request, find, version, hitl }) => {
    const { task_id } = await find(idIn(params));
    return { result: version.writeTask(wireTask(await ask.cancel(request.asker, task_id), { hitl })) };
  },
  subscribe: async (params, context) => {
    const task = await context.find(idIn(params));
    if (isFinal(task.state) && (context.lastEvent?.seq ?? endSeq) >= endSeq)
      throw new RpcError("UNSUPPORTED_OPERATION", "The task has ended. Get it instead.");
    return { events: streamTask(context, task, { followsPause: context.version.name === "1.0" }) };
  },
  push: async () => {
    throw withoutPush();
  },
  extendedCard: async (_params, { card }) => ({ result: await card() }),
};

const idIn = (params: JsonObject): string => stringAt(memberOf(params, "id"), "id");

function readSend(params: JsonObject, { version }: CallContext) {
  const sent = version.readSend(params);
  checkModes(sent.message.parts, inputModes);
  return sent;
}

const statesOf: Readonly<Record<string, readonly TaskState[]>> = {
  WORKING: ["working"],
  INPUT_REQUIRED: ["input_required"],
  // The store doesn't know which of the two it is.
  AUTH_REQUIRED: ["input_required"],
  COMPLETED: ["success"],
  FAILED: ["error", "timed_out"],
  CANCELED: ["canceled"],
};

async function listTasks(
  params: JsonObject,
  { ask, request, agent, hitl, pageKey: key }: CallContext,
): Promise<object> {
  const { state, contextId, changedSince, pageSize, pageToken, ...sight } = readListRequest(params);
  const states = state && (statesOf[state.slice("TASK_STATE_".length)] ?? []);
  const filter = { agent: agent.name, contextId, states, changedSince };
  const list = { key, actor: request.asker.actor, filter };
  const after = pageToken === undefined ? undefined : readPageToken(pageToken, list);
  const { historyLength = 0, includeArtifacts: withArtifacts } = sight;
  // An answer or a message can be a megabyte: they are read only where the request wants them.
  const content = withArtifacts || historyLength > 0;
  const { tasks, total, next } = await ask.list(request.asker, filter, { limit: pageSize, after, content });
  return {
    tasks: tasks.map((task) => wireTask(task, { historyLength, withArtifacts, hitl })),
    nextPageToken: next === undefined ? "" : writePageToken(next, list),
    pageSize,
    totalSize: total,
  };
}

/** A program's list of tasks, and the key that signs its places. */
interface ListedBy {
  readonly key: Uint8Array;
  readonly actor: string;
  readonly filter: AskFilter;
}

/** Returns the signed token of a place in a list. It holds only for this program and this filter, in any process that has the key. */
const writePageToken = ({ changedAt, taskId }: ListPlace, list: ListedBy): string =>
  [changedAt, taskId, sign([changedAt, taskId], list).toString("base64url")].join(".");

/** Throws an `RpcError` for a token that was changed, or is of another list. */
function readPageToken(token: string, list: ListedBy): ListPlace {
  const [time, taskId = "", signature = ""] = token.split(".");
  const changedAt = Number(time);
  const [given, right] = [Buffer.from(signature, "base64url"), sign([changedAt, taskId], list)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw invalidPageToken();
  return { changedAt, taskId };
}

function sign(place: readonly [number, string], { key, actor, filter }: ListedBy): Buffer {
  const { agent, contextId = null, states = null, changedSince = null } = filter;
  const text = JSON.stringify([place, actor, agent, contextId, states, changedSince]);
  return createHmac("sha256", key).update(text).digest();
}
