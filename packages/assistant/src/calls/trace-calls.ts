import type { Span, SpanAttributes } from "@crosszone/service-kit/tracing";
import type { OpenModel } from "../models/open-model.ts";
import { collectOutput, inputMessages, type TurnTracer } from "./call-tracer.ts";
import { errorTypeOf } from "./classify-error.ts";
import type { CallOptions, CallPart, StreamCall } from "./stream-call.ts";

/**
 * Wraps each call of a model in a span `chat <model>`; each retry has its own span.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function traceCalls(call: StreamCall, model: OpenModel, turn: TurnTracer): StreamCall {
  return async (options) => {
    const span = beginChat(model, options, turn);
    const startedAt = performance.now();
    try {
      return readParts(await call(options), { span, options, startedAt, capturesContent: turn.capturesContent });
    } catch (error) {
      span.end({ error: errorTypeOf(error, options.abortSignal) });
      throw error;
    }
  };
}

function beginChat(
  { id, name }: OpenModel,
  { maxOutputTokens, prompt }: CallOptions,
  { start, capturesContent, traceparent }: TurnTracer,
): Reading["span"] {
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

interface Reading {
  readonly span: Pick<Span, "end">;
  readonly options: CallOptions;
  readonly startedAt: number;
  readonly capturesContent: boolean;
}

async function* readParts(
  parts: AsyncIterable<CallPart>,
  { span, options, startedAt, capturesContent }: Reading,
): AsyncGenerator<CallPart> {
  const output = capturesContent ? collectOutput() : undefined;
  const { abortSignal } = options;
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
