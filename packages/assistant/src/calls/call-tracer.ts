import type { Span, SpanOptions } from "@crosszone/service-kit/tracing";
import type { CallOptions, CallPart } from "./stream-call.ts";

/** How the calls of one turn are recorded. Their spans are children of the turn's span. */
export interface TurnTracer {
  readonly start: (name: string, options: SpanOptions) => Pick<Span, "traceparent" | "end">;
  /** Whether spans contain shortened prompts, answers, arguments and results. Off unless configured. */
  readonly capturesContent: boolean;
  readonly traceparent: string | undefined;
}

/** The longest text, and the longest JSON of an attribute's messages, characters. */
const [longestText, longestJson] = [1_000, 4_000];

/**
 * Returns a call's last messages, as JSON of the semantic conventions. Files appear with their type, without content.
 */
export function inputMessages(prompt: CallOptions["prompt"]): string {
  const kept: object[] = [];
  for (const { role, content } of prompt.toReversed()) {
    const parts = typeof content === "string" ? [{ type: "text", content: cut(content) }] : content.map(partOf);
    const longer = [{ role, parts }, ...kept];
    if (JSON.stringify(longer).length > longestJson) break;
    kept.unshift({ role, parts });
  }
  return JSON.stringify(kept);
}

function partOf(part: Exclude<CallOptions["prompt"][number]["content"], string>[number]): object {
  if (part.type === "text") return { type: "text", content: cut(part.text) };
  if (part.type === "tool-call") return toolCall(part);
  if (part.type === "tool-result")
    return { type: "tool_call_response", id: part.toolCallId, result: cutJson(part.output) };
  return { type: part.type };
}

type ToolCall = { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };

const toolCall = ({ toolCallId: id, toolName: name, input }: ToolCall) => {
  return { type: "tool_call", id, name, arguments: cutJson(input) };
};

/** Collects the model's output of one call. */
export function collectOutput(): { add: (part: CallPart) => void; messages: () => string } {
  const calls: object[] = [];
  let text = "";
  let finishReason = "error";
  return {
    add: (part) => {
      if (part.type === "text-delta" && text.length < longestText) text += part.delta;
      else if (part.type === "tool-call" && calls.length < 10) calls.push(toolCall(part));
      else if (part.type === "finish") finishReason = part.finishReason.unified;
    },
    messages: () => {
      const parts = [...(text === "" ? [] : [{ type: "text", content: cut(text) }]), ...calls];
      return JSON.stringify([{ role: "assistant", parts, finish_reason: finishReason }]);
    },
  };
}

/** Returns arguments or a result as shortened text. */
export function cutJson(value: unknown): string {
  return cut(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

const cut = (text: string): string =>
  (text.length > longestText ? `${text.slice(0, longestText)}…` : text).toWellFormed();
