import { costOf } from "./cost-of.ts";

/** What the model calls of one turn used (`task-usage.schema.json`). */
export interface TurnUsage {
  /** `provider/id`. */
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Of the input tokens, those that the provider had cached. */
  readonly cached_input_tokens: number;
  /** US dollars; null when the model has no known price. */
  readonly cost: number | null;
  /** Present when a call ended before the provider counted it, so that its part is an estimate. */
  readonly estimated?: true;
}

/** Tokens of one model call. */
export interface CallUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly estimated: boolean;
}

/** Adds up the model calls of one turn. */
export interface UsageMeter {
  add(call: CallUsage): void;
  total(): TurnUsage;
}

/** `priced` is false where the id says nothing of the price, as on a server of one's own. */
export function createUsageMeter(model: {
  readonly name: string;
  readonly id: string;
  readonly priced: boolean;
}): UsageMeter {
  const calls: CallUsage[] = [];
  const sum = (member: "input" | "output" | "cached"): number => calls.reduce((total, call) => total + call[member], 0);
  return {
    add: (call) => void calls.push(call),
    total: () => {
      const tokens = { input: sum("input"), output: sum("output"), cached: sum("cached") };
      return {
        model: model.name,
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        cached_input_tokens: tokens.cached,
        cost: model.priced ? costOf(model.id, tokens) : null,
        ...(calls.some(({ estimated }) => estimated) && { estimated: true }),
      };
    },
  };
}
