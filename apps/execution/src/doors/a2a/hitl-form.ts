import { isObject, type JsonObject, memberOf, RpcError } from "@crosszone/a2a";
import type { InputAnswer, InputField, InputRequest } from "@crosszone/contracts";

/** An answer to one input request. */
export interface Reply {
  readonly requestId: string;
  readonly answer: InputAnswer;
}

interface Question {
  readonly question: string;
  readonly choices: readonly string[];
  /** Turns one answer into the value of its field, or of the request. */
  readonly valueOf: (answer: string) => unknown;
  readonly field?: string;
}

const approvals = (open: readonly InputRequest[]): readonly InputRequest[] =>
  open.filter(({ kind }) => kind === "approve");

/**
 * Returns open input requests in the form of `hitl/v1`: all approvals; without one, the first other request. A form is one question for each
 * field. What is left follows when these are answered.
 */
export function hitlRequestOf(open: readonly InputRequest[]): JsonObject {
  const asked = approvals(open);
  const [first] = open;
  if (asked.length > 0 || first === undefined)
    return {
      type: "tool_approval_request",
      hint: asked.map(({ title }) => title).join("\n"),
      tools: asked.map(({ request_id: id, title, action }) => ({
        id,
        call_id: id,
        name: action?.tool ?? title,
        args: action?.arguments ?? {},
      })),
    };
  const questions = questionsOf(first).map(({ question, choices }) => ({ question, choices, multiple: false }));
  return { type: "ask_user_request", id: first.request_id, questions };
}

/** Returns the answers in a response of `hitl/v1`. Throws an `RpcError` unless it is one to the open requests, with exactly their ids. */
export function readHitlResponse(response: JsonObject, open: readonly InputRequest[]): readonly Reply[] {
  const type = memberOf(response, "type");
  if (type === "tool_approval_response") return readApprovals(response["approvals"], approvals(open));
  if (type !== "ask_user_response") throw badReply(`type must be tool_approval_response or ask_user_response`, open);
  const id = memberOf(response, "id");
  const request = open.find(({ request_id }) => request_id === id);
  if (request === undefined) throw badReply("id must be that of an open request", open);
  const questions = questionsOf(request);
  const answers = Array.isArray(response["answers"]) ? (response["answers"] as unknown[]) : [];
  if (answers.length !== questions.length) throw badReply(`answers must have ${questions.length} items`, open);
  const values = questions.map(({ valueOf, field }, index) => {
    const given: unknown = memberOf(answers[index], "answer");
    const text = Array.isArray(given) ? given.filter((one) => typeof one === "string").join("\n") : "";
    return [field, text === "" ? undefined : valueOf(text)] as const;
  });
  const answer = request.kind === "form" ? { values: presentOf(values) } : { value: values[0]?.[1] ?? "" };
  return [{ requestId: request.request_id, answer: { verdict: "answer", ...answer } as InputAnswer }];
}

function readApprovals(list: unknown, open: readonly InputRequest[]): readonly Reply[] {
  const given = Array.isArray(list) ? list.filter(isObject) : [];
  const ids = new Set(given.map(({ id }) => id));
  const isExact = given.length === open.length && open.every(({ request_id }) => ids.has(request_id));
  if (!isExact || given.some(({ approved }) => typeof approved !== "boolean"))
    throw badReply("approvals must have each id exactly once, with approved true or false", open);
  return given.map(({ id, approved, rejection_reason: reason }) => ({
    requestId: String(id),
    answer: {
      verdict: approved === true ? "approve" : "deny",
      reason: typeof reason === "string" && reason !== "" ? reason : undefined,
    },
  }));
}

/** The body is in the text of the message. */
function questionsOf({ kind, title, options = [], schema }: InputRequest): readonly Question[] {
  if (kind !== "form")
    return [{ question: title, choices: options.map(({ label }) => label), valueOf: valueIn(options) }];
  return Object.entries(schema?.properties ?? {}).map(([field, of]) => ({
    field,
    question: of?.title ?? field,
    choices: of?.type === "boolean" ? ["yes", "no"] : (of?.enum ?? []),
    valueOf: (answer) => fieldValue(of, answer),
  }));
}

/** Returns the value of an option by its value or its label, whatever the case. Any other text is left to the check of the answer. */
export const valueIn =
  (options: NonNullable<InputRequest["options"]>) =>
  (text: string): string => {
    const wanted = text.trim().toLowerCase();
    const found = options.find(({ value, label }) => [value, label].some((one) => one.toLowerCase() === wanted));
    return found?.value ?? text;
  };

function fieldValue(field: InputField | undefined, answer: string): unknown {
  const text = answer.trim();
  if (field?.type === "boolean") return /^(yes|no|true|false)$/i.test(text) ? /^(yes|true)$/i.test(text) : answer;
  if (field?.type !== "number" && field?.type !== "integer") return answer;
  return text === "" || Number.isNaN(Number(text)) ? answer : Number(text);
}

const presentOf = (values: readonly (readonly [string | undefined, unknown])[]): object =>
  Object.fromEntries(values.filter(([, value]) => value !== undefined).map(([name = "", value]) => [name, value]));

const forms: Readonly<Record<InputRequest["kind"], string>> = {
  approve: '"verdict": "approve" or "deny"',
  choose: '"value": one of its options',
  text: '"value": a text',
  form: '"values": an object with its fields',
};

/** Returns the error for a message that answers no open request. It says what to send. */
export function badReply(problem: string, open: readonly InputRequest[]): RpcError {
  const wanted = open.map(({ request_id, kind }) => `{"request_id": "${request_id}", ${forms[kind]}}`);
  return new RpcError(
    "INVALID_PARAMS",
    `Invalid params: ${problem}. Send a data part for each request that you answer: ${wanted.join("; ")}.`,
    { field: "message.parts" },
  );
}
