import { generateText } from "ai";
import type { AssistantError } from "../failure.ts";
import { classifyError } from "../turn/classify-error.ts";
import type { OpenModel } from "./open-model.ts";

/** The smallest output limit that every provider accepts, tokens. */
const fewTokens = 16;

/** Timeout of the call, milliseconds. */
const timeoutMs = 15_000;

/** Asks a model for one word. Returns why it did not answer; undefined when it did. */
export async function tryModel({ model }: OpenModel): Promise<AssistantError | undefined> {
  try {
    await generateText({
      model,
      prompt: "Answer with the word ok.",
      maxOutputTokens: fewTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
    });
    return undefined;
  } catch (error) {
    return classifyError(error);
  }
}
