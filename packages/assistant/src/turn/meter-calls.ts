import { estimatePromptTokens, estimateTokens } from "../usage/estimate-tokens.ts";
import type { CallUsage, UsageMeter } from "../usage/usage-meter.ts";
import type { CallPart, StreamCall } from "./call-parts.ts";

/**
 * Counts every call with the provider's counts. A call that ends without them is estimated, because the provider bills
 * it anyway. A call that the provider rejects costs nothing.
 */
export function meterCalls(call: StreamCall, meter: UsageMeter): StreamCall {
  return async (options) => {
    const { prompt, tools, maxOutputTokens = 0, abortSignal } = options;
    const estimated = { input: estimatePromptTokens([prompt, tools]), cached: 0, estimated: true };
    const metered = await meter.begin({ ...estimated, output: maxOutputTokens });
    const parts = await call(options).catch(async (error: unknown) => {
      const input = abortSignal?.aborted === true ? estimated.input : 0;
      await metered.end({ ...estimated, input, output: 0 });
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
        await metered.end(used ?? { ...estimated, output: estimateTokens(written) });
      }
    })();
  };
}

const textOf = (part: CallPart): string => ("delta" in part ? part.delta : "");
