import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type ModelMessage, streamText } from "ai";
import { classifyError } from "./classify-error.ts";

/** Lets a model write a text, in one call without tools. Rejects with an `AssistantError` or with the signal's reason. */
export async function writeOnce(
  model: LanguageModelV4,
  call: {
    readonly instructions: string | undefined;
    readonly messages: ModelMessage[];
    readonly maxOutputTokens: number;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly text: string; readonly finishReason: string | undefined }> {
  const { signal, ...asked } = call;
  const { stream } = streamText({ model, ...asked, maxRetries: 0, abortSignal: signal, onError: () => undefined });
  let text = "";
  let finishReason: string | undefined;
  for await (const part of stream) {
    if (part.type === "text-delta") text += part.text;
    else if (part.type === "finish") finishReason = part.finishReason;
    else if (part.type === "error") {
      signal.throwIfAborted();
      throw classifyError(part.error);
    }
  }
  signal.throwIfAborted();
  return { text: text.trim(), finishReason };
}
