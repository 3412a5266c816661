import { createHmac, timingSafeEqual } from "node:crypto";
import {
  type AgentOperations,
  checkReply,
  defined,
  endedStream,
  invalid,
  invalidPageToken,
  isObject,
  type JsonObject,
  type ListRequest,
  memberOf,
  RpcError,
  type TaskPage,
  unsupported,
  type WireMessage,
} from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import { type InputAnswer, type InputRequest, isInputAnswer, problemsOf, type TaskState } from "@crosszone/contracts";
import { type AskedTask, waitSentence, endSeq } from "../../tasks/ask/asked-task.ts";
import { textOfMessage } from "../../tasks/task-files.ts";
import type { AskFilter, ListPlace } from "../../tasks/store/asked-tasks.ts";
import { isFinal } from "../../tasks/task.ts";
import type { ProgramCall } from "./program-call.ts";
import { inputModes } from "./create-cards.ts";
import { badReply, readHitlResponse, type Reply, valueIn } from "./hitl-form.ts";
import { type IdentifiedEvent, streamTask, wireTask } from "./wire-task.ts";

/** The longest id of a message, a context or a key, characters. */
const longestId = 255;

/** Waits for the whole life of a task. Its deadline ends it earlier. */
const waitMs = 2_147_483_647;

/**
 * Starts a task with a message, or answers what a task waits for. A blocking one waits until the task has ended or waits for people. Throws
 * an `RpcError` or a `ZoneError`.
 */
async function sendMessage(context: ProgramCall, message: WireMessage, isBlocking = false): Promise<AskedTask> {
  checkMessage(message);
  const { ask, request, agent, hops, signal } = context;
  const { taskId, contextId, messageId, parts, metadata } = message;
  if (taskId !== undefined) {
    await answerInputs(context, taskId, message);
    return isBlocking ? ask.wait(request.asker, taskId, { waitMs, signal }) : context.find(taskId);
  }
  const { key = messageId } = context;
  if (key.length > longestId) throw invalid("the header Idempotency-Key", `at most ${longestId} characters`);
  const question = { agent, message: { messageId, parts, metadata }, contextId, key, hops };
  return isBlocking ? ask.askAndWait(request, question, { waitMs, signal }) : ask.ask(request, question);
}

function checkMessage({ messageId, contextId = "", parts }: WireMessage): void {
  if (messageId.length > longestId) throw invalid("message.messageId", `at most ${longestId} characters`);
  if (contextId.length > longestId) throw invalid("message.contextId", `at most ${longestId} characters`);
  if (parts.some(({ url }) => url !== undefined))
    throw new RpcError(
      "CONTENT_TYPE_NOT_SUPPORTED",
      "Files by URL are not accepted, because this zone fetches nothing for programs. Send the bytes of the file in the part.",
    );
}

async function answerInputs(context: ProgramCall, taskId: string, message: WireMessage): Promise<void> {
  const { ask, request } = context;
  const task = await context.find(taskId);
  const { context_id: contextId } = task.ask;
  const { state, inputs } = task;
  checkReply(message, { contextId, hasEnded: isFinal(state), asks: inputs.length > 0 });
  for (const { requestId, answer } of readReplies(message, inputs)) {
    const digest = inputs.find(({ request_id }) => request_id === requestId)?.action?.digest;
    const { outcome, request: asked } = await ask.answer(request, requestId, { answer, digest });
    if (outcome === "not_eligible")
      throw unsupported(`${waitSentence(asked)} This program can't decide it. The task still waits.`);
    const refused = refusals[outcome];
    if (refused !== undefined) throw unsupported(refused);
  }
}

const refusals: Readonly<Record<string, string>> = {
  already_decided: "The input request was decided before. Get the task to see its state.",
  already_voted: "This program has voted on the input request before, and that vote stands.",
  expired: "The input request has expired. Get the task to see its state.",
  withdrawn: "The input request was withdrawn. Get the task to see its state.",
  changed: "The action of the input request has changed. Get the task and answer again.",
};

/**
 * Returns what a message answers: by the extension, by data parts that name a request, or, when one request is open, by its text or
 * its only data part. A text never is a verdict. Throws an `RpcError` that says what to send instead.
 */
function readReplies(message: WireMessage, open: readonly InputRequest[]): readonly Reply[] {
  const replies = repliesIn(message, open);
  for (const { answer } of replies) {
    const [problem] = problemsOf(isInputAnswer, answer);
    if (problem !== undefined) throw badReply(`${problem.pointer.slice(1)} ${problem.message}`, open);
  }
  return replies;
}

function repliesIn(message: WireMessage, open: readonly InputRequest[]): readonly Reply[] {
  const structured = memberOf(message.metadata ?? {}, hitlUri);
  if (message.extensions?.includes(hitlUri) === true && isObject(structured)) return readHitlResponse(structured, open);
  const data = message.parts.flatMap((part) => (isObject(part.data) ? [part.data] : []));
  const named = data.flatMap((one) => {
    const request = open.find(({ request_id }) => request_id === one["request_id"]);
    return request === undefined ? [] : [{ requestId: request.request_id, answer: answerIn(one) }];
  });
  if (named.length > 0) return named;
  const [request] = open;
  if (request === undefined || open.length > 1) throw badReply("several input requests are open", open);
  return [{ requestId: request.request_id, answer: answerTo(request, message, data[0]) }];
}

const answerIn = ({ verdict = "answer", value, values, reason }: JsonObject): InputAnswer =>
  defined({ verdict, value, values, reason }) as unknown as InputAnswer;

function answerTo(request: InputRequest, message: WireMessage, data: JsonObject | undefined): InputAnswer {
  const { kind, options = [] } = request;
  if (message.parts.some(({ raw }) => raw !== undefined))
    throw badReply("a reply can't have files; send them in a message without a task id", [request]);
  if (data !== undefined && Object.hasOwn(data, "verdict")) return answerIn(data);
  if (kind === "form" && data !== undefined)
    return { verdict: "answer", values: data as Readonly<Record<string, never>> };
  if (kind === "approve" || kind === "form")
    throw badReply(`a text is no answer to a request of kind ${kind}`, [request]);
  if (data !== undefined && (kind === "choose" || Object.hasOwn(data, "value"))) return answerIn(data);
  const text = textOfMessage(message).trim();
  if (text === "") throw badReply("the message has no text", [request]);
  return { verdict: "answer", value: kind === "choose" ? valueIn(options)(text) : text };
}

/** Returns what an agent does for a program. The operations throw an `RpcError` or a `ZoneError`. */
export function programOperations(call: ProgramCall): AgentOperations<AsyncGenerator<IdentifiedEvent, void>> {
  const { ask, request, find, version, hitl, lastEvent, signal } = call;
  return {
    inputModes,
    send: async (sent) => {
      call.hold();
      const task = await sendMessage(call, sent.message, sent.isBlocking);
      signal.throwIfAborted();
      return wireTask(task, hitl);
    },
    stream: async (message) => streamTask(call, await sendMessage(call, message)),
    get: async (id) => wireTask(await find(id), hitl),
    list: (wanted) => listTasks(call, wanted),
    cancel: async (id) => {
      const { task_id } = await find(id);
      return wireTask(await ask.cancel(request.asker, task_id), hitl);
    },
    subscribe: async (id) => {
      const task = await find(id);
      if (isFinal(task.state) && (lastEvent?.seq ?? endSeq) >= endSeq) throw endedStream();
      return streamTask(call, task, version.name === "1.0");
    },
    extendedCard: call.card,
  };
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
  { ask, request, agent, hitl, pageKey: key }: ProgramCall,
  { state, contextId, changedSince, pageSize, pageToken, historyLength = 0, includeArtifacts }: ListRequest,
): Promise<TaskPage> {
  const states = state && (statesOf[state.slice("TASK_STATE_".length)] ?? []);
  const filter = { agent: agent.name, contextId, states, changedSince };
  const list = { key, actor: request.asker.actor, filter };
  const after = pageToken === undefined ? undefined : readPageToken(pageToken, list);
  // An answer or a message can be a megabyte: they are read only where the request wants them.
  const content = includeArtifacts || historyLength > 0;
  const { tasks, total, next } = await ask.list(request.asker, filter, { limit: pageSize, after, content });
  return {
    tasks: tasks.map((task) => wireTask(historyLength > 0 ? task : { ...task, message: undefined }, hitl)),
    next: next && writePageToken(next, list),
    total,
  };
}

/** A program's list of tasks, and the key that signs its places. */
interface ListedBy {
  readonly key: Uint8Array;
  readonly actor: string;
  readonly filter: AskFilter;
}

/** Returns the signed token of a place in a list. It holds only for this program and this filter, in any process that has the key. */
function writePageToken({ changedAt, taskId }: ListPlace, { key, actor, filter }: ListedBy): string {
  const { agent, contextId = null, states = null, changedSince = null } = filter;
  const text = JSON.stringify([[changedAt, taskId], actor, agent, contextId, states, changedSince]);
  return [changedAt, taskId, createHmac("sha256", key).update(text).digest("base64url")].join(".");
}

/** Throws an `RpcError` for a token that was changed, or is of another list. */
function readPageToken(token: string, list: ListedBy): ListPlace {
  const [time, taskId = ""] = token.split(".");
  const place = { changedAt: Number(time), taskId };
  const [given, right] = [Buffer.from(token), Buffer.from(writePageToken(place, list))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw invalidPageToken();
  return place;
}
