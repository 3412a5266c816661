import type { ModelChoice } from "../models/model-choice.ts";
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
export function isPriced({ provider, id }: ModelChoice): boolean {
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
