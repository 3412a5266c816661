import type { Part } from "@crosszone/a2a";
import type { AgentTask } from "@crosszone/contracts";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";

/**
 * kagent's extension of A2A: an agent asks people in a structured form, and gets a structured answer.
 * https://github.com/kagent-dev/kagent/blob/main/docs/architecture/human-in-the-loop.md
 */
export const hitlUri = "https://kagent.dev/extensions/hitl/v1";

/** A tool that the agent wants to call. */
interface HitlTool {
  /** Names the tool in the answer. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

export interface HitlQuestion {
  readonly question: string;
  /** Empty when any text is an answer. */
  readonly choices: readonly string[];
  /** Whether several choices are an answer. */
  readonly multiple: boolean;
}

/** What an agent asks. `subagent` is the agent behind it that asks. */
export type HitlRequest = { readonly subagent?: string } & (
  | { readonly type: "tool_approval"; readonly tools: readonly HitlTool[]; readonly hint?: string }
  | { readonly type: "ask_user"; readonly id: string; readonly questions: readonly HitlQuestion[] }
);

/** Returns the request in a status message. Undefined unless the message declares the extension and also has its metadata. */
export function hitlRequestIn(message: unknown): JsonObject | undefined {
  const payload = ownMember(ownMember(message, "metadata"), hitlUri);
  return ownList(message, "extensions").includes(hitlUri) && isObject(payload) ? payload : undefined;
}

/** Returns the structured answer in a task's input; undefined when it has none. */
export const hitlResponseIn = ({ input_data }: AgentTask): unknown => ownMember(input_data, hitlUri);

/**
 * Reads a request. The tools and the question of a nested agent replace those of the agent that calls it, because the answer names them.
 * Undefined for an unknown type, a missing member, or an id that occurs twice.
 */
export function readHitlRequest(payload: unknown): HitlRequest | undefined {
  const nested = ownMember(payload, "nested") ?? undefined;
  const inner = nested === undefined ? undefined : readTools(ownList(nested, "tools"));
  if (nested !== undefined && inner === undefined) return undefined;
  const subagent = textOf(nested, "subagent_name");
  const type = ownMember(payload, "type");
  if (type === "tool_approval_request") {
    const own = readTools(ownList(payload, "tools"));
    const hint = textOf(payload, "hint");
    return own && { type: "tool_approval", tools: inner ?? own, hint, subagent };
  }
  if (type !== "ask_user_request") return undefined;
  const id = (inner?.find(({ name }) => name === "ask_user") ?? inner?.[0])?.id ?? textOf(payload, "id");
  const asked = ownList(payload, "questions");
  const questions = asked.map(readQuestion).filter((one) => one !== undefined);
  if (id === undefined || questions.length === 0 || questions.length < asked.length) return undefined;
  return { type: "ask_user", id, questions, subagent };
}

function readTools(tools: readonly unknown[]): readonly HitlTool[] | undefined {
  const read = tools.flatMap((tool) => {
    const [id, name] = [textOf(tool, "id"), textOf(tool, "name")];
    const args = ownMember(tool, "args") ?? {};
    return id !== undefined && name !== undefined && isObject(args) ? [{ id, name, args }] : [];
  });
  const ids = new Set(read.map(({ id }) => id));
  return tools.length > 0 && ids.size === tools.length ? read : undefined;
}

function readQuestion(asked: unknown): HitlQuestion | undefined {
  const question = textOf(asked, "question");
  const choices = ownList(asked, "choices").filter((choice) => typeof choice === "string" && choice.trim() !== "");
  return question === undefined
    ? undefined
    : { question, choices: [...new Set(choices as string[])], multiple: ownMember(asked, "multiple") === true };
}

function textOf(value: unknown, member: string): string | undefined {
  const text = ownMember(value, member);
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

/** Returns whether a response answers this request: of its type, with exactly its ids. */
export function isResponseTo(response: unknown, payload: unknown): boolean {
  const request = readHitlRequest(payload);
  const type = ownMember(response, "type");
  if (request?.type === "ask_user") return type === "ask_user_response" && ownMember(response, "id") === request.id;
  if (request === undefined || type !== "tool_approval_response") return false;
  const ids = ownList(response, "approvals").map((approval) => ownMember(approval, "id"));
  return ids.length === request.tools.length && request.tools.every(({ id }) => ids.includes(id));
}

/** Members with the words of a question in data, in the order in which they are looked for, and the longest words, UTF-16 units. */
const wordMembers = ["question", "message", "prompt", "query", "text", "title", "hint", "reason", "description"];
const longestWords = 2_000;

/** Returns the words for people in data, and the rest of it. LangGraph wraps a question: `{id, value: {question}}`. */
export function wordsInData(data: unknown): { readonly words?: string; readonly rest?: unknown } {
  const isWrapper = (name: string): boolean => ["id", "value", "response_schema"].includes(name);
  const asked = isObject(data) && Object.keys(data).every(isWrapper) ? (data["value"] ?? data) : data;
  const isWords = (said: unknown): said is string =>
    typeof said === "string" && /\S/.test(said) && said.length <= longestWords;
  if (isWords(asked)) return { words: asked };
  const name = wordMembers.find((one) => isWords(ownMember(asked, one)));
  if (name === undefined || !isObject(asked)) return { rest: asked };
  const { [name]: words, ...rest } = asked;
  return { words: words as string, rest: Object.keys(rest).length > 0 ? rest : undefined };
}

/**
 * Returns the members of a message that ask people, by kagent's extension, for what function calls of Google's ADK and of kagent before 1.0, and interrupts of Strands, wait for;
 * undefined when none waits. Ids have what the answer needs.
 * https://github.com/google/adk-python/blob/main/src/google/adk/a2a/converters/long_running_functions.py
 */
export function requestOfCalls(parts: readonly unknown[]): JsonObject | undefined {
  const calls = parts.flatMap((part) => {
    const data = ownMember(part, "data");
    const [id, name, args] = ["id", "name", "args"].map((member) => ownMember(data, member));
    const isWaiting = (owner: string): boolean =>
      ownMember(ownMember(part, "metadata"), `${owner}_is_long_running`) === true && name !== credential;
    const interrupts = ownList(data, "interrupts").map((one) => ({
      id: `strands:${String(ownMember(one, "interruptId"))}`,
      name: ownMember(one, "name"),
      args: ownMember(one, "reason"),
    }));
    if (isWaiting("adk")) return [{ id: `adk:${String(name)}:${String(id)}`, name, args }];
    const original = ownMember(ownMember(args, "originalFunctionCall"), "id");
    return isWaiting("kagent") ? [{ id: `kagent:${String(original)}`, name, args }] : interrupts;
  });
  const tools = calls.flatMap(({ id, name, args }) => {
    const asked = ownMember(args, "originalFunctionCall");
    if (name !== "adk_request_confirmation") return [];
    return { id, name: ownMember(asked, "name") ?? name, args: ownMember(asked, "args") };
  });
  const questions = calls.map(({ name, args }) => ({
    question: wordsInData(args).words ?? `${String(name)} ${JSON.stringify(args)}`,
  }));
  const ask = { type: "ask_user_request", id: calls.map(({ id }) => id).join(" "), questions };
  const request = tools.length > 0 ? { type: "tool_approval_request", tools } : ask;
  return calls.length === 0 ? undefined : { extensions: [hitlUri], metadata: { [hitlUri]: request } };
}

/** Its arguments contain credentials, and so does its response. */
const credential = "adk_request_credential";

/** Returns the parts that answer such calls, from the response of kagent's extension; empty for any other response. */
export function answersToCalls(response: unknown): readonly Part[] {
  const ids = String(ownMember(response, "id")).split(" ");
  const given = [
    ...ownList(response, "approvals").map((one) => [ownMember(one, "id"), { confirmed: ownMember(one, "approved") }]),
    ...ownList(response, "answers").map((one, at) => [ids[at], { result: ownList(one, "answer").join(", ") }]),
  ];
  const metadata = { adk_type: "function_response" };
  // kagent wants one answer for all its calls, by the ids of the calls that it asks about.
  const decided = ownList(response, "approvals").flatMap((one) => {
    const [, id] = /^kagent:(.+)$/.exec(String(ownMember(one, "id"))) ?? [];
    return id === undefined ? [] : [[id, ownMember(one, "approved") === true ? "approve" : "reject"]];
  });
  const decisions = Object.fromEntries(decided) as JsonObject;
  if (decided.length > 0) return [{ data: { decision_type: "batch", decisions } }];
  return given.flatMap(([key, answer]) => {
    const [, name, id] = /^(?:adk:([^:]+)|strands):(.+)$/.exec(String(key)) ?? [];
    if (id === undefined) return [];
    if (name !== undefined) return { data: { id, name, response: answer }, metadata };
    return { data: { interruptResponse: { interruptId: id, response: ownMember(answer, "result") } } };
  });
}
