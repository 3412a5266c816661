import type { JsonObject } from "@crosszone/service-kit/json";
import { findError, listOf, membersOf, stringIn, wordOf } from "./provider-error.ts";
import { argumentsIn, largestCounts, type WireReader } from "./wire-blocks.ts";

/** OpenAI's chat completions, as servers send them. https://platform.openai.com/docs/api-reference/chat-streaming */
export function createChatReader(): WireReader {
  let [isFinished, isCalled] = [false, false];
  let usage: JsonObject = {};
  /** The index of the choice that is read: a server may send more than the one that it is asked for. */
  let read: unknown;
  return {
    isFinished: () => isFinished,
    isOver: () => false,
    end: (isDone) =>
      isDone && !isFinished ? [{ choices: [{ finish_reason: isCalled ? "tool_calls" : "stop" }] }] : [],
    read: (value) => {
      const error = findError(value);
      if (error) return isFinished ? [] : [{ error }];
      const { id, model, x_groq, choices } = membersOf(value);
      // Some servers count in a choice, or in a member of their own.
      usage = [membersOf(value), membersOf(x_groq), ...listOf(choices).map(membersOf)].reduce<JsonObject>(
        (all, place) => largestCounts(all, place["usage"]),
        usage,
      );
      const known = listOf(choices)
        .map(membersOf)
        .filter(({ index }) => (index ?? read) === (read ??= index ?? undefined))
        .slice(0, 1)
        .map(({ delta, message, text, finish_reason }) => {
          const said = deltaOf({ content: text, ...membersOf(delta ?? message) });
          const reason = stringIn(finish_reason).replace(/^null$/, "");
          isFinished ||= reason !== "";
          isCalled ||= said.tool_calls.length > 0;
          return { delta: said, finish_reason: reason || undefined };
        });
      return [{ id: stringIn(id), model: stringIn(model), choices: known, usage }];
    },
  };
}

function deltaOf({ content, refusal, reasoning_content, reasoning, thinking, tool_calls }: JsonObject) {
  const calls = listOf(tool_calls).map((call) => {
    const { index, id, function: called, extra_content } = membersOf(call);
    const { name, arguments: input } = membersOf(called);
    const at = Number.parseInt(String(index), 10);
    const signature = membersOf(membersOf(extra_content)["google"])["thought_signature"];
    return {
      index: Number.isNaN(at) ? undefined : at,
      // Some servers number their calls.
      id: wordOf(id) || undefined,
      function: { name: wordOf(name) || undefined, arguments: argumentsIn(input) },
      extra_content: stringIn(signature) === "" ? undefined : { google: { thought_signature: signature } },
    };
  });
  return {
    content: Array.isArray(content) ? content.filter((part) => stringIn(membersOf(part)["type"])) : stringIn(content),
    refusal: stringIn(refusal) || undefined,
    reasoning_content: [reasoning_content, reasoning, thinking].map(stringIn).find(Boolean),
    tool_calls: calls.filter(({ id, function: { name, arguments: json } }) => (id ?? name ?? json) !== ""),
  };
}
