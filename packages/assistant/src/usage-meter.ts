import prices from "./usage/prices.json" with { type: "json" };

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
  const price = priceOfModel(modelId);
  if (price === undefined) return null;
  const dollars = ((input - cached) * price.input + cached * price.cached_input + output * price.output) / 1_000_000;
  return Number(dollars.toFixed(6));
}

/** Returns whether a model's price is known. The same id on another server has another price. */
export function isPriced({ provider, id }: { readonly provider: string; readonly id: string | undefined }): boolean {
  return provider !== "openai-compatible" && id !== undefined && priceOfModel(id) !== undefined;
}

/**
 * A model's price also applies to its dated id and its id on Bedrock: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`.
 */
function priceOfModel(modelId: string): Price | undefined {
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

export interface CallUsage extends Tokens {
  /** Whether the provider's counts are missing. */
  readonly estimated: boolean;
}

/** One model call for the records: what it used, or the most that it may use. */
export interface CallRecord extends CallUsage {
  /** `provider/id`. */
  readonly model: string;
  /** Input and output. */
  readonly tokens: number;
  /** US dollars; null when the model has no known price. */
  readonly cost: number | null;
}

/** A call with reserved room in the budgets. */
export interface ReservedCall {
  /** Replaces the reservation by the actual use. The reservation of a call that is never settled stays. */
  recordUse(used: CallRecord): Promise<void>;
}

/** A tool of an MCP server, by the server's name for it. */
export interface ServedTool {
  readonly server: string;
  readonly tool: string;
}

/** How a call of a tool ended. `asked`: it waits for people, and another call goes on when they have answered. */
export type ToolOutcome = "succeeded" | "failed" | "canceled" | "asked";

/** Records the calls of a turn, and pays for those of models. */
export interface Spending {
  /** Reserves room before a call. Rejects with an `AssistantError` `budget` when a budget has no room. */
  reserve(most: CallRecord): Promise<ReservedCall>;
  /** Records that a call of a tool begins. Returns a function that records its end. */
  callTool(tool: ServedTool): Promise<(outcome: ToolOutcome) => Promise<void>>;
}

/** The usage of a turn's model calls (`task-usage.schema.json`). */
export interface TurnUsage {
  /** `provider/id`. */
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Input tokens that came from the provider's cache. */
  readonly cached_input_tokens: number;
  /** US dollars; null when the model has no known price. */
  readonly cost: number | null;
  /** Present when a call ended without the provider's counts, so that its part is an estimate. */
  readonly estimated?: true;
}

/**
 * Adds up the model calls of one turn. `priced` is false when the price is unknown, as on a self-hosted server. Without `spending`, calls are not
 * budgeted. `onFailure` receives the error of a call that couldn't be settled. The turn continues.
 */
export class UsageMeter {
  readonly #model: { readonly name: string; readonly id: string; readonly priced: boolean };
  readonly #spending: Spending | undefined;
  readonly #onFailure: (cause: unknown) => void;
  readonly #calls: CallUsage[] = [];

  constructor(
    model: { readonly name: string; readonly id: string; readonly priced: boolean },
    spending: Spending | undefined,
    onFailure: (cause: unknown) => void,
  ) {
    this.#model = model;
    this.#spending = spending;
    this.#onFailure = onFailure;
  }

  /**
   * Call before each model call with the most that it may use. Returns a function that records what the call used. Rejects with an
   * `AssistantError` when a budget has no room.
   */
  async begin(most: CallUsage): Promise<(used: CallUsage) => Promise<void>> {
    const reserved = await this.#spending?.reserve(this.#recordOf(most));
    return async (used) => {
      this.#calls.push(used);
      await reserved?.recordUse(this.#recordOf(used)).catch(this.#onFailure);
    };
  }

  /** Like `begin`, for a call of a tool. Neither it nor the function rejects: a call that is not recorded still counts as one. */
  async beginTool(tool: ServedTool): Promise<(outcome: ToolOutcome) => Promise<void>> {
    const record = await this.#spending?.callTool(tool).catch(this.#onFailure);
    return async (outcome) => record?.(outcome).catch(this.#onFailure);
  }

  /** Returns the calls, after those of earlier parts of the turn. */
  after(before: readonly CallUsage[] = []): readonly CallUsage[] {
    return [...before, ...this.#calls];
  }

  total(before?: readonly CallUsage[]): TurnUsage {
    const all = this.after(before);
    const sum = (member: "input" | "output" | "cached"): number => all.reduce((total, call) => total + call[member], 0);
    const tokens = { input: sum("input"), output: sum("output"), cached: sum("cached") };
    return {
      model: this.#model.name,
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      cached_input_tokens: tokens.cached,
      cost: this.#priceOf(tokens),
      estimated: all.some(({ estimated }) => estimated) ? true : undefined,
    };
  }

  #priceOf(used: Tokens): number | null {
    return this.#model.priced ? costOf(this.#model.id, used) : null;
  }

  #recordOf(used: CallUsage): CallRecord {
    return { ...used, model: this.#model.name, tokens: used.input + used.output, cost: this.#priceOf(used) };
  }
}
