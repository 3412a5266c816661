import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AssistantEmit, AssistantLimits } from "../limits.ts";
import type { OpenModel } from "../models/open-model.ts";
import { estimatePromptTokens, estimateTokens } from "../usage/tokens.ts";
import type { CallUsage, UsageMeter } from "../usage/usage-meter.ts";
import type { TurnTracer } from "./call-tracer.ts";
import { readStream } from "./read-stream.ts";
import { retryCalls } from "./retry-calls.ts";
import { type CallPart, limitSilence, type StreamCall, streamCallOf, withStreamCall } from "./stream-call.ts";
import { traceCalls } from "./trace-calls.ts";

export interface ModelBounds {
  readonly limits: AssistantLimits;
  readonly meter: UsageMeter;
  readonly emit: AssistantEmit;
  readonly turn: TurnTracer;
}

/** Returns a model whose calls are timed, traced, counted and retried. */
export function boundedModel(open: OpenModel, { limits, meter, emit, turn }: ModelBounds): LanguageModelV4 {
  const { model, refused } = open;
  const traced = traceCalls(readStream(limitSilence(streamCallOf(model), limits.silenceMs), refused), open, turn);
  const counted = meterCalls(traced, meter);
  const onRetry = ({ message: because }: Error): void => emit("model_call_retried", { because });
  return withStreamCall(model, retryCalls(counted, { ...limits, refused, onRetry }));
}

/**
 * Counts every call with the provider's counts. A call that ends without them is estimated, because the provider bills
 * it anyway. A call that the provider rejects costs nothing.
 */
function meterCalls(call: StreamCall, meter: UsageMeter): StreamCall {
  return async (options) => {
    const { prompt, tools, maxOutputTokens = 0, abortSignal } = options;
    const estimated = { input: estimatePromptTokens([prompt, tools]), cached: 0, estimated: true };
    const record = await meter.begin({ ...estimated, output: maxOutputTokens });
    const parts = await call(options).catch(async (error: unknown) => {
      const input = abortSignal?.aborted === true ? estimated.input : 0;
      await record({ ...estimated, input, output: 0 });
      throw error;
    });
    return (async function* () {
      let written = "";
      let used: CallUsage | undefined;
      try {
        for await (const part of parts) {
          written += textOf(part);
          if (part.type === "finish") {
            const { inputTokens, outputTokens } = part.usage;
            const { total: input = estimated.input } = inputTokens;
            const { total: output = estimateTokens(written) } = outputTokens;
            const isKnown = inputTokens.total !== undefined && outputTokens.total !== undefined;
            used = { input, output, cached: inputTokens.cacheRead ?? 0, estimated: !isKnown };
          }
          yield part;
        }
      } finally {
        await record(used ?? { ...estimated, output: estimateTokens(written) });
      }
    })();
  };
}

const textOf = (part: CallPart): string => ("delta" in part ? part.delta : "");
