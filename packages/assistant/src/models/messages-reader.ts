import type { JsonObject } from "@crosszone/service-kit/json";
import { findError, listOf, membersOf, stringIn } from "./provider-error.ts";
import { argumentsIn, largestCounts, type MessageBlock, MessageBlocks, ping, type WireReader } from "./wire-blocks.ts";

/** The pieces of blocks: what they are pieces of, and the member with the text. */
const pieces = {
  text_delta: ["text", "text"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["thinking", "signature"],
  input_json_delta: ["call", "partial_json"],
} as const;

type PieceType = keyof typeof pieces;

/** Anthropic's messages, without what is unknown. https://platform.claude.com/docs/en/build-with-claude/streaming */
export function createMessagesReader(): WireReader {
  let [reason, isStarted, isOver, isEnded] = ["", false, false, false];
  let usage: JsonObject = {};
  const blocks = new MessageBlocks("input_json_delta", {
    start: (block) => ({ type: "content_block_start", index: block.index, content_block: startOf(block) }),
    piece: ({ index }, type, text) => {
      const [, member] = pieces[type as PieceType];
      return { type: "content_block_delta", index, delta: { type, [member]: text } };
    },
    stop: ({ index }) => ({ type: "content_block_stop", index }),
  });

  const end = (isDone: boolean): object[] => {
    if (isEnded || !(isDone || isOver || reason !== "")) return [];
    isEnded = true;
    const delta = { stop_reason: reason || (blocks.isCalled ? "tool_use" : "end_turn") };
    const stop = { type: "message_delta", delta, usage: { output_tokens: 0, ...usage } };
    return [...blocks.stopAll(), stop, { type: "message_stop" }];
  };

  const readEvent = (event: JsonObject): object[] => {
    const { type, index, content_block: block, delta } = event;
    if (type === "message") return wholeMessage(event).flatMap(read);
    usage = largestCounts(usage, event["usage"]);
    switch (type) {
      case "message_start": {
        if (isStarted) return [];
        isStarted = true;
        const { id, model, usage: counted } = membersOf(event["message"]);
        // What is written by now is no count of the answer.
        const { output_tokens: _none, ...counts } = membersOf(counted);
        usage = largestCounts(usage, counts);
        const message = { id: stringIn(id), model: stringIn(model), usage: { input_tokens: 0, ...usage } };
        return [{ type, message }];
      }
      case "content_block_start":
        return startBlock(blocks, index, membersOf(block));
      case "content_block_delta":
        return addDelta(blocks, index, membersOf(delta));
      case "content_block_stop":
        return blocks.stop(index);
      case "message_delta":
        reason ||= stringIn(membersOf(delta)["stop_reason"]);
        return [];
      case "message_stop":
        isOver = true;
        return [];
      default:
        return [];
    }
  };

  const read = (value: unknown): object[] => {
    const event = membersOf(value);
    const type = stringIn(event["type"]) || "error";
    if (isOver) return [];
    const error = type === "error" && reason === "" ? findError(value) : undefined;
    if (error) return [{ type, error: { ...error, type: error.type || "api_error" } }];
    const events = readEvent(event);
    return events.length === 0 ? [ping] : events;
  };
  return { isFinished: () => reason !== "" || isOver, isOver: () => isOver, end, read };
}

function startOf({ kind, callId: id, name, sealed: data }: MessageBlock): object {
  if (kind === "call") return { type: "tool_use", id, name, input: {} };
  if (kind === "text") return { type: "text", text: "" };
  return data === undefined ? { type: "thinking", thinking: "" } : { type: "redacted_thinking", data };
}

/** A block can start with its first words, or with all of it. */
function startBlock(blocks: MessageBlocks, given: unknown, block: JsonObject): object[] {
  const { type, text, thinking, signature, id, name, input, data } = block;
  const index = blocks.indexOf(given, true);
  const add = (piece: PieceType, said: unknown): object[] =>
    blocks.add(index, pieces[piece][0], { type: piece, text: stringIn(said) });
  switch (type) {
    case "text":
      return [...blocks.start(index, "text"), ...add("text_delta", text)];
    case "thinking":
      return [
        ...blocks.start(index, "thinking"),
        ...add("thinking_delta", thinking),
        ...add("signature_delta", signature),
      ];
    case "redacted_thinking":
      return blocks.start(index, "thinking", { sealed: stringIn(data) });
    case "tool_use":
      return blocks.start(index, "call", { callId: stringIn(id), name: stringIn(name), input });
    default:
      return blocks.ignore(index);
  }
}

function addDelta(blocks: MessageBlocks, index: unknown, delta: JsonObject): object[] {
  const types = Object.keys(pieces) as PieceType[];
  const isOf = (one: PieceType): boolean =>
    stringIn(delta["type"]) === "" ? delta[pieces[one][1]] !== undefined : delta["type"] === one;
  const type = types.find(isOf);
  if (type === undefined) return [];
  const [kind, member] = pieces[type];
  return blocks.add(index, kind, { type, text: argumentsIn(delta[member]) });
}

/** Returns the events of a message that was not streamed. */
function wholeMessage({ content, stop_reason, usage, id, model }: JsonObject): object[] {
  const all = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  const blocks = all.flatMap((content_block, index) => [
    { type: "content_block_start", index, content_block },
    { type: "content_block_stop", index },
  ]);
  const delta = { stop_reason: stringIn(stop_reason) || undefined };
  return [
    { type: "message_start", message: { id, model } },
    ...blocks,
    { type: "message_delta", delta, usage },
    { type: "message_stop" },
  ];
}
