import type { JsonObject } from "@crosszone/service-kit/json";
import { findError, listOf, membersOf, stringIn } from "./provider-error.ts";
import { argumentsIn, largestCounts, MessageBlocks, ping, type WireReader } from "./wire-blocks.ts";

/** Members of a thought's pieces. */
const thoughts = ["text", "signature", "data", "redactedContent"];

/** The exceptions of a stream that the provider's package knows. */
const exceptions = ["internalServer", "modelStreamError", "serviceUnavailable", "throttling", "validation"];

/**
 * Bedrock's ConverseStream. Each value is an event or an exception with its name as the only member.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export function createConverseReader(): WireReader {
  let [reason, isStopped, isOver, isEnded] = ["", false, false, false];
  let usage: JsonObject = {};
  const blocks = new MessageBlocks("input", {
    // The package starts the other blocks at their first piece.
    start: ({ kind, index: contentBlockIndex, callId: toolUseId, name }) =>
      kind === "call" ? { contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId, name } } } } : ping,
    piece: ({ kind, index: contentBlockIndex }, type, text) => {
      const delta = kind === "call" ? { toolUse: { input: text } } : { reasoningContent: { [type]: text } };
      return { contentBlockDelta: { contentBlockIndex, delta: kind === "text" ? { text } : delta } };
    },
    stop: ({ index: contentBlockIndex }) => ({ contentBlockStop: { contentBlockIndex } }),
  });

  const end = (isDone: boolean): object[] => {
    if (isEnded || !(isDone || isStopped)) return [];
    isEnded = true;
    const stopReason = reason || (blocks.isCalled ? "tool_use" : "end_turn");
    const counted = Object.keys(usage).length > 0 ? [{ metadata: { usage: { ...noUsage, ...usage } } }] : [];
    return [...blocks.stopAll(), { messageStop: { stopReason } }, ...counted];
  };

  const readEvent = (event: JsonObject): object[] => {
    const { contentBlockStart: start, contentBlockDelta: delta, contentBlockStop: stop, messageStop, metadata } = event;
    if (start !== undefined) return startBlock(blocks, membersOf(start));
    if (delta !== undefined) return addDelta(blocks, membersOf(delta));
    if (stop !== undefined) return blocks.stop(membersOf(stop)["contentBlockIndex"]);
    if (messageStop !== undefined) {
      isStopped = true;
      reason ||= stringIn(membersOf(messageStop)["stopReason"]);
    }
    if (metadata !== undefined) {
      usage = largestCounts(usage, membersOf(metadata)["usage"]);
      isOver ||= isStopped && Object.keys(usage).length > 0;
    }
    return event["output"] === undefined ? [] : wholeAnswer(event).flatMap(read);
  };

  const read = (value: unknown): object[] => {
    const event = membersOf(value);
    const [name = ""] = Object.keys(event);
    if (/exception$/i.test(name)) return isStopped ? [] : [exceptionOf(name, event[name])];
    const error = isStopped ? undefined : findError(value);
    if (error) return [exceptionOf("internalServerException", error)];
    const events = readEvent(event);
    return events.length === 0 ? [ping] : events;
  };
  return { isFinished: () => isStopped, isOver: () => isOver, end, read };
}

const noUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** An exception that the package doesn't know would be no error. */
function exceptionOf(name: string, body: unknown): object {
  const known = exceptions.map((one) => `${one}Exception`).find((one) => one.toLowerCase() === name.toLowerCase());
  const { message, ...said } = findError({ error: body }) ?? { message: "no message" };
  return {
    [known ?? "internalServerException"]: { ...said, message: known === undefined ? `${name}: ${message}` : message },
  };
}

function startBlock(blocks: MessageBlocks, { contentBlockIndex, start }: JsonObject): object[] {
  const { toolUseId, name, input, ...call } = membersOf(membersOf(start)["toolUse"]);
  const isCall = toolUseId !== undefined || name !== undefined || Object.keys(call).length > 0;
  // What is no call starts with its first piece.
  if (!isCall) return [];
  return blocks.start(contentBlockIndex, "call", { callId: stringIn(toolUseId), name: stringIn(name), input });
}

function addDelta(blocks: MessageBlocks, { contentBlockIndex: index, delta }: JsonObject): object[] {
  const { text, toolUse, reasoningContent } = membersOf(delta);
  const thought = membersOf(reasoningContent);
  return [
    ...thoughts.flatMap((type) => blocks.add(index, "thinking", { type, text: stringIn(thought[type]) })),
    ...blocks.add(index, "text", { type: "text", text: stringIn(text) }),
    ...blocks.add(index, "call", { type: "input", text: argumentsIn(membersOf(toolUse)["input"]) }),
  ];
}

/** Returns the events of an answer that was not streamed. */
function wholeAnswer({ output, stopReason, usage }: JsonObject): object[] {
  const content = listOf(membersOf(membersOf(output)["message"])["content"]).map(membersOf);
  const blocks = content.flatMap(({ text, toolUse, reasoningContent }, contentBlockIndex) => {
    const { reasoningText, ...thought } = membersOf(reasoningContent);
    const delta = { text, reasoningContent: { ...membersOf(reasoningText), ...thought } };
    return [
      { contentBlockStart: { contentBlockIndex, start: { toolUse } } },
      { contentBlockDelta: { contentBlockIndex, delta } },
      { contentBlockStop: { contentBlockIndex } },
    ];
  });
  return [...blocks, { messageStop: { stopReason } }, { metadata: { usage } }];
}
