import { costOf, type Tokens } from "./tokens.ts";

/** Tokens of one model call. */
export interface CallUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
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

/** Pays for model calls. */
export interface Spending {
  /** Reserves room before a call. Rejects with an `AssistantError` `budget` when a budget has no room. */
  reserve(most: CallRecord): Promise<ReservedCall>;
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

/** Adds up the model calls of one turn. */
export interface UsageMeter {
  /**
   * Call before each model call with the most that it may use. Returns a function that records what the call used. Rejects with an
   * `AssistantError` when a budget has no room.
   */
  begin(most: CallUsage): Promise<(used: CallUsage) => Promise<void>>;
  /** Returns the calls, after those of earlier parts of the turn. */
  after(before?: readonly CallUsage[]): readonly CallUsage[];
  total(before?: readonly CallUsage[]): TurnUsage;
}

/**
 * Creates a meter. `priced` is false when the price is unknown, as on a self-hosted server. Without `spending`, calls are not budgeted.
 * `onFailure` receives the error of a call that couldn't be settled. The turn continues.
 */
export function createUsageMeter(
  model: { readonly name: string; readonly id: string; readonly priced: boolean },
  spending: Spending | undefined,
  onFailure: (cause: unknown) => void,
): UsageMeter {
  const calls: CallUsage[] = [];
  const after: UsageMeter["after"] = (before = []) => [...before, ...calls];
  const priceOf = (used: Tokens): number | null => (model.priced ? costOf(model.id, used) : null);
  const recordOf = (used: CallUsage): CallRecord => {
    return { ...used, model: model.name, tokens: used.input + used.output, cost: priceOf(used) };
  };
  return {
    begin: async (most) => {
      const reserved = await spending?.reserve(recordOf(most));
      return async (used) => {
        calls.push(used);
        await reserved?.recordUse(recordOf(used)).catch(onFailure);
      };
    },
    after,
    total: (before) => {
      const all = after(before);
      const sum = (member: "input" | "output" | "cached"): number =>
        all.reduce((total, call) => total + call[member], 0);
      const tokens = { input: sum("input"), output: sum("output"), cached: sum("cached") };
      return {
        model: model.name,
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        cached_input_tokens: tokens.cached,
        cost: priceOf(tokens),
        ...(all.some(({ estimated }) => estimated) && { estimated: true }),
      };
    },
  };
}
