import {
  invalid,
  RpcError,
  type SendRequest,
  type WireMessage,
  defined,
  isObject,
  type JsonObject,
  memberOf,
} from "@crosszone/a2a";
import { isFinal } from "../../tasks/task.ts";
import { type AskedTask, decidersSentence } from "../../ask/asked-task.ts";
import type { CallContext } from "./call-context.ts";
import { hitlUri } from "@crosszone/agent-bridge";
import { type InputAnswer, type InputRequest, isInputAnswer, problemsOf } from "@crosszone/contracts";
import { textOfMessage } from "../../tasks/message-files.ts";
import { badReply, readHitlResponse, type Reply, valueIn } from "./hitl-form.ts";

/** The longest id of a message, a context or a key, characters. */
const longestId = 255;

/** Waits for the whole life of a task. Its deadline ends it earlier. */
const waitMs = 2_147_483_647;

/**
 * Starts a task with a message, or answers what a task waits for. A blocking one waits until the task has ended or waits for people. Throws
 * an `RpcError` or a `ZoneError`.
 */
export async function sendMessage(
  context: CallContext,
  { message, isBlocking }: Pick<SendRequest, "message" | "isBlocking">,
): Promise<AskedTask> {
  checkMessage(message);
  const { ask, request, agent, hops, signal } = context;
  const { taskId, contextId, messageId, parts, metadata } = message;
  if (taskId !== undefined) {
    await answerInputs(context, taskId, message);
    return isBlocking ? ask.wait(request.asker, taskId, { waitMs, signal }) : context.find(taskId);
  }
  const { key = messageId } = context;
  if (key.length > longestId) throw invalid("the header Idempotency-Key", `at most ${longestId} characters`);
  const question = { agent, message: { messageId, parts, ...(metadata && { metadata }) }, contextId, key, hops };
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

async function answerInputs(context: CallContext, taskId: string, message: WireMessage): Promise<void> {
  const { ask, request } = context;
  const task = await context.find(taskId);
  if (message.contextId !== undefined && message.contextId !== task.ask.context_id)
    throw invalid("message.contextId", "the context of the task, or absent");
  if (isFinal(task.state)) throw unsupported("The task has ended. Send the message without a task id.");
  if (task.inputs.length === 0)
    throw unsupported("The task is working and asks nothing. Wait until its state is input-required.");
  for (const { requestId, answer } of readReplies(message, task.inputs)) {
    const digest = task.inputs.find(({ request_id }) => request_id === requestId)?.action?.digest;
    const { outcome, request: asked } = await ask.answer(request, requestId, { answer, digest });
    if (outcome === "not_eligible")
      throw unsupported(`${decidersSentence(asked)} This program can't decide it. The task still waits.`);
    const refused = refusals[outcome];
    if (refused !== undefined) throw unsupported(refused);
  }
}

const unsupported = (message: string): RpcError => new RpcError("UNSUPPORTED_OPERATION", message);

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
