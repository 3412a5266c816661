import { findError, listOf, type Members, membersOf, textOf } from "./provider-error.ts";

/** Reads what a server sends on one wire, and returns what the provider's package understands. */
export interface WireReader {
  /** Returns the events for one event, or for a whole answer that came instead of a stream. */
  read(value: unknown): object[];
  /** Returns the events that are missing at the end. `isDone`: the server said that this is the end. */
  end(isDone: boolean): object[];
  /** Whether the model has said why it stopped: nothing that follows makes the answer incomplete. */
  isFinished(): boolean;
}

/** OpenAI's chat completions, as servers send them. https://platform.openai.com/docs/api-reference/chat-streaming */
export function createChatReader(): WireReader {
  let [isFinished, isCalled] = [false, false];
  /** The index of the choice that is read: a server may send more than the one that it is asked for. */
  let read: unknown;
  return {
    isFinished: () => isFinished,
    end: (isDone) =>
      isDone && !isFinished ? [{ choices: [{ finish_reason: isCalled ? "tool_calls" : "stop" }] }] : [],
    read: (value) => {
      const error = findError(value);
      if (error) return isFinished ? [] : [{ error }];
      const { id, model, usage, choices } = membersOf(value);
      const known = listOf(choices)
        .map(membersOf)
        .filter(({ index }) => (index ?? read) === (read ??= index))
        .slice(0, 1)
        .map(({ delta, message, text, finish_reason }) => {
          const said = deltaOf({ content: text, ...membersOf(delta ?? message) });
          const reason = textOf(finish_reason).replace(/^null$/, "");
          isFinished ||= reason !== "";
          isCalled ||= said.tool_calls.length > 0;
          return { delta: said, finish_reason: reason || undefined };
        });
      return [{ id: textOf(id), model: textOf(model), choices: known, usage }];
    },
  };
}

function deltaOf({ content, refusal, reasoning_content, reasoning, thinking, tool_calls }: Members) {
  const calls = listOf(tool_calls).map((call) => {
    const { index, id, function: called, extra_content } = membersOf(call);
    const { name, arguments: input } = membersOf(called);
    const json = typeof input === "object" && input !== null ? JSON.stringify(input) : textOf(input);
    const at = Number.parseInt(String(index), 10);
    return { index: Number.isNaN(at) ? undefined : at, id, function: { name, arguments: json }, extra_content };
  });
  return {
    content: Array.isArray(content) ? content.filter((part) => textOf(membersOf(part)["type"])) : textOf(content),
    refusal,
    reasoning_content: [reasoning_content, reasoning, thinking].map(textOf).find(Boolean),
    tool_calls: calls.filter(({ id, function: { name, arguments: json } }) => textOf(id) || textOf(name) || json),
  };
}

const knownParts = /^(?:text|tool_use|(?:redacted_)?thinking|(?:text|input_json|thinking|signature)_delta)$/;

/** Anthropic's messages, without unknown events. https://platform.claude.com/docs/en/build-with-claude/streaming */
export function createMessagesReader(): WireReader {
  let [isFinished, isOver] = [false, false];
  const alive = { type: "ping" };
  const unknownBlocks = new Set<unknown>();
  const isKnown = (part: unknown): boolean => knownParts.test(textOf(membersOf(part)["type"]));
  const stop = (delta: object, usage?: unknown) => {
    isFinished = true;
    return { type: "message_delta", delta, usage: { output_tokens: 0, ...membersOf(usage) } };
  };
  const end = (isDone: boolean): object[] => {
    if (isOver || !(isDone || isFinished)) return [];
    const missing = isFinished ? [] : [stop({ stop_reason: "end_turn" })];
    isOver = true;
    return [...missing, { type: "message_stop" }];
  };
  const read = (value: unknown): object[] => {
    const event = membersOf(value);
    const { type = "error", index, usage, content_block: block, delta } = event;
    if (type === "message") return wholeMessage(event).flatMap(read);
    if (type === "message_stop") return end(true);
    if (type === "message_start") {
      const message = membersOf(event["message"]);
      const counted = { input_tokens: 0, ...membersOf(message["usage"]) };
      return [{ type, message: { ...message, content: [], usage: counted } }];
    }
    if (type === "message_delta")
      return typeof membersOf(delta)["stop_reason"] === "string" ? [stop(membersOf(delta), usage)] : [alive];
    if (type === "content_block_start" && !isKnown(block)) unknownBlocks.add(index);
    if (textOf(type).startsWith("content_block"))
      return [unknownBlocks.has(index) || (delta !== undefined && !isKnown(delta)) ? alive : event];
    const error = type === "error" && !isFinished ? findError(value) : undefined;
    return [error ? { type, error: { ...error, type: error.type || "api_error" } } : alive];
  };
  return { isFinished: () => isFinished, end, read };
}

/** Returns the events of a message that was not streamed. */
function wholeMessage({ content, stop_reason = "end_turn", usage, ...message }: Members): object[] {
  const blocks = listOf(content).flatMap((content_block, index) => {
    const { type, text } = membersOf(content_block);
    const stop = { type: "content_block_stop", index };
    if (type !== "text") return [{ type: "content_block_start", index, content_block }, stop];
    const start = { type: "content_block_start", index, content_block: { type, text: "" } };
    return [start, { type: "content_block_delta", index, delta: { type: "text_delta", text } }, stop];
  });
  return [{ type: "message_start", message }, ...blocks, { type: "message_delta", delta: { stop_reason }, usage }];
}

/** OpenAI's responses, as they are, but for the forms of an error. */
export function createResponsesReader(): WireReader {
  let isFinished = false;
  const read = (value: unknown): object[] => {
    const { type = "error", sequence_number = 0 } = membersOf(value);
    isFinished ||= /^response\.(?:completed|incomplete|failed)$/.test(textOf(type));
    const error = type === "error" ? findError(value) : undefined;
    return [error ? { ...error, code: error.code || error.type, type, sequence_number } : membersOf(value)];
  };
  return { isFinished: () => isFinished, end: () => [], read };
}
