import type { ProviderError } from "../models/provider-error.ts";
import type { CallOptions } from "./stream-call.ts";

/**
 * The parameters that a call can do without, as providers name them; the likeliest first. The output limit gets OpenAI's
 * newer name when the error has it; else, or if that is refused, none is sent.
 */
const parameters: readonly (readonly [name: string, words: RegExp])[] = [
  ["stream_options", /stream_options|include_usage/i],
  ["tool_choice", /tool[_ ]choice/i],
  ["tools", /(?<!\brole\W{1,3})\btools?\b(?![.[])|toolConfig|\bfunction[ _]?call|tool[_ ]choice/i],
  ["max_tokens", /max_?(?:output_)?tokens/i],
  ["max_completion_tokens", /max_?(?:output_|completion_)?tokens/i],
  ["stream", /\bstream(?:ing)?\b/i],
];

const refusal =
  /unsupported|(?:not|n't|un|longer|that)[ -](?:be )?(?:support|allow|permit|implement|enabl|available|accept|recogni)|unknown|unrecogni[sz]ed|unexpected|extra(?:neous|_forbidden)|deprecated|requires? --|too (?:large|high|big)/i;

/** Returns the parameters that an error refuses by name. */
export function refusedParameters({ message, param, code }: ProviderError): readonly string[] {
  const sentences = message.split(/(?<=[.!?])\s+/).filter((sentence) => refusal.test(sentence));
  const named = refusal.test(`${message} ${code}`) ? [param, ...sentences] : [];
  const names = parameters.filter(([, words]) => named.some((text) => words.test(text))).map(([name]) => name);
  return names.filter((name) => name !== "max_tokens" || message.includes("max_completion_tokens"));
}

/** Returns the options without what the model refused. The OpenAI-compatible wire leaves out the others. */
export function withoutRefused(options: CallOptions, refused: ReadonlySet<string>): CallOptions {
  const { tools, toolChoice, maxOutputTokens, ...rest } = options;
  return {
    ...rest,
    ...(!refused.has("tools") && { tools }),
    ...(!refused.has("tools") && !refused.has("tool_choice") && { toolChoice }),
    ...(!refused.has("max_completion_tokens") && { maxOutputTokens }),
  };
}
