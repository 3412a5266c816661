import prices from "./prices.json" with { type: "json" };

/** Tokens of one or more model calls. `input` includes `cached`. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

interface Price {
  readonly input: number;
  readonly cached_input: number;
  readonly output: number;
}

const byModel: Readonly<Record<string, Price | undefined>> = prices.models;

/** Returns the cost in US dollars by `prices.json`; null for a model without a price. */
export function costOf(modelId: string, { input, output, cached }: Tokens): number | null {
  const price = priceOf(modelId);
  if (price === undefined) return null;
  const dollars = ((input - cached) * price.input + cached * price.cached_input + output * price.output) / 1_000_000;
  return Number(dollars.toFixed(6));
}

/** Returns whether a model's price is known. The same id on another server has another price. */
export function isPriced({ provider, id }: { readonly provider: string; readonly id: string | undefined }): boolean {
  return provider !== "openai-compatible" && id !== undefined && priceOf(id) !== undefined;
}

/**
 * A model's price also applies to its dated id and its id on Bedrock: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`.
 */
function priceOf(modelId: string): Price | undefined {
  const plain = modelId.replace(/^(?:[a-z-]+\.)?anthropic\./, "").replace(/-v\d+(?::\d+)?$/, "");
  const undated = plain.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return [modelId, plain, undated].map((id) => ownPrice(id)).find((price) => price !== undefined);
}

const ownPrice = (id: string): Price | undefined => (Object.hasOwn(byModel, id) ? byModel[id] : undefined);

/**
 * Approximate characters per token in English. Other scripts have fewer, so estimates for them are up to four times too
 * low.
 */
export const charactersPerToken = 4;

/** Approximate tokens of an image or a PDF page. */
const tokensOfFile = 1_500;

/** Returns the approximate number of tokens of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Returns the approximate number of tokens of a prompt in any form. A file's bytes count as one image. */
export function estimatePromptTokens(prompt: unknown): number {
  let files = 0;
  const text = JSON.stringify(prompt, (_name, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    files += 1;
    return undefined;
  });
  return estimateTokens(text ?? "") + files * tokensOfFile;
}
