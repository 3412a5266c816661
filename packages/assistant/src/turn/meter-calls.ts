import { estimatePromptTokens, estimateTokens } from "../usage/estimate-tokens.ts";
import type { UsageMeter } from "../usage/usage-meter.ts";
import type { CallPart, StreamCall } from "./call-parts.ts";

/**
 * Counts every call, with what the provider counted. A call that ends before the provider counted it is estimated: the provider bills it
 * all the same. A call that the provider refuses costs nothing.
 */
export function meterCalls(call: StreamCall, meter: UsageMeter): StreamCall {
  return async (options) => {
    const estimated = { input: estimatePromptTokens([options.prompt, options.tools]), cached: 0, estimated: true };
    const parts = await call(options).catch((error: unknown) => {
      if (options.abortSignal?.aborted === true) meter.add({ ...estimated, output: 0 });
      throw error;
    });
    return (async function* () {
      let written = "";
      let isCounted = false;
      try {
        for await (const part of parts) {
          written += textOf(part);
          if (part.type === "finish") {
            const { inputTokens, outputTokens } = part.usage;
            const { total: input = estimated.input } = inputTokens;
            const { total: output = estimateTokens(written) } = outputTokens;
            const isKnown = inputTokens.total !== undefined && outputTokens.total !== undefined;
            meter.add({ input, output, cached: inputTokens.cacheRead ?? 0, estimated: !isKnown });
            isCounted = true;
          }
          yield part;
        }
      } finally {
        if (!isCounted) meter.add({ ...estimated, output: estimateTokens(written) });
      }
    })();
  };
}

const textOf = (part: CallPart): string => ("delta" in part ? part.delta : "");
