import type { Part } from "@crosszone/a2a";
import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { hitlUri } from "./hitl-extension.ts";

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
