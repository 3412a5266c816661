import type { Span, SpanAttributes, SpanOptions } from "@crosszone/service-kit/tracing";
import type { OpenModel } from "../models/open-model.ts";
import { errorTypeOf } from "./classify-error.ts";
import type { ModelCallOptions, CallPart, StreamCall } from "./stream-call.ts";

export interface CallTracer {
  readonly start: (name: string, options: SpanOptions) => Span;
  /** Whether spans contain shortened prompts, answers, arguments and results. Off unless configured. */
  readonly capturesContent: boolean;
}

/** How the calls of one turn are recorded. Their spans are children of the turn's span. */
export interface TurnTracer extends CallTracer {
  readonly traceparent: string | undefined;
}

/** The longest text, and the longest JSON of an attribute's messages, characters. */
const [longestText, longestJson] = [1_000, 4_000];

/**
 * Returns a call's last messages, as JSON of the semantic conventions. Files appear with their type, without content.
 */
function inputMessages(prompt: ModelCallOptions["prompt"]): string {
  const kept: object[] = [];
  for (const { role, content } of prompt.toReversed()) {
    const parts = typeof content === "string" ? [{ type: "text", content: cut(content) }] : content.map(partOf);
    const longer = [{ role, parts }, ...kept];
    if (JSON.stringify(longer).length > longestJson) break;
    kept.unshift({ role, parts });
  }
  return JSON.stringify(kept);
}

function partOf(part: Exclude<ModelCallOptions["prompt"][number]["content"], string>[number]): object {
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

function collectOutput(): { add: (part: CallPart) => void; messages: () => string } {
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
      const parts = text === "" ? calls : [{ type: "text", content: cut(text) }, ...calls];
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

/**
 * Wraps each call of a model in a span `chat <model>`; each retry has its own span.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function traceCalls(call: StreamCall, model: OpenModel, turn: TurnTracer): StreamCall {
  return async (options) => {
    const span = beginChat(model, options, turn);
    const startedAt = performance.now();
    try {
      const output = turn.capturesContent ? collectOutput() : undefined;
      return readParts(await call(options), span, { abortSignal: options.abortSignal, startedAt, output });
    } catch (error) {
      span.end({ error: errorTypeOf(error, options.abortSignal) });
      throw error;
    }
  };
}

function beginChat(
  { id, name }: OpenModel,
  { maxOutputTokens, prompt }: ModelCallOptions,
  { start, capturesContent, traceparent }: TurnTracer,
): Span {
  const provider = name.slice(0, name.indexOf("/"));
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider === "bedrock" ? "aws.bedrock" : provider,
    "gen_ai.request.model": id,
    "gen_ai.request.stream": true,
    "gen_ai.request.max_tokens": maxOutputTokens,
    "gen_ai.input.messages": capturesContent ? inputMessages(prompt) : undefined,
  };
  return start(`chat ${id}`, { kind: "client", traceparent, attributes });
}

async function* readParts(
  parts: AsyncIterable<CallPart>,
  span: Span,
  {
    abortSignal,
    startedAt,
    output,
  }: {
    readonly abortSignal: AbortSignal | undefined;
    readonly startedAt: number;
    readonly output: ReturnType<typeof collectOutput> | undefined;
  },
): AsyncGenerator<CallPart> {
  const collected: SpanAttributes[] = [];
  let isFinished = false;
  let error: string | undefined;
  try {
    for await (const part of parts) {
      if (collected.length === 0 && part.type !== "stream-start")
        collected.push({ "gen_ai.response.time_to_first_chunk": (performance.now() - startedAt) / 1_000 });
      if (part.type === "response-metadata" || part.type === "finish") collected.push(attributesOf(part));
      if (part.type === "error") error = errorTypeOf(part.error, abortSignal);
      isFinished ||= part.type === "finish";
      output?.add(part);
      yield part;
    }
  } catch (thrown) {
    error = errorTypeOf(thrown, abortSignal);
    throw thrown;
  } finally {
    if (!isFinished) error ??= abortSignal?.aborted === true ? errorTypeOf(undefined, abortSignal) : "interrupted";
    if (output) collected.push({ "gen_ai.output.messages": output.messages() });
    span.end({ attributes: Object.assign({}, ...collected) as SpanAttributes, error });
  }
}

/** Attributes of the call from one of its parts. */
function attributesOf(part: Extract<CallPart, { type: "response-metadata" | "finish" }>): SpanAttributes {
  if (part.type === "response-metadata")
    return { "gen_ai.response.id": part.id, "gen_ai.response.model": part.modelId };
  const { inputTokens, outputTokens } = part.usage;
  return {
    "gen_ai.response.finish_reasons": [part.finishReason.unified],
    "gen_ai.usage.input_tokens": inputTokens.total,
    "gen_ai.usage.output_tokens": outputTokens.total,
    "gen_ai.usage.cache_read.input_tokens": inputTokens.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": inputTokens.cacheWrite,
    "gen_ai.usage.reasoning.output_tokens": outputTokens.reasoning,
  };
}
