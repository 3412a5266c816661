import { defined, isObject, type JsonObject, memberOf, type WireMessage } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import { type InputAnswer, type InputRequest, isInputAnswer, problemsOf } from "@crosszone/contracts";
import { textOfMessage } from "../../tasks/message-files.ts";
import { badReply, readHitlResponse, type Reply, valueIn } from "./hitl-form.ts";

/**
 * Returns what a message answers: by the extension, by data parts that name a request, or, when one request is open, by its text or
 * its only data part. A text never is a verdict. Throws an `RpcError` that says what to send instead.
 */
export function readReplies(message: WireMessage, open: readonly InputRequest[]): readonly Reply[] {
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
