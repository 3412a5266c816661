import type { UsageSum } from "@crosszone/contracts";
import { sql, type RawBuilder } from "kysely";

/** Sums of columns of `model_call`, as the database returns them. */
export interface SumRow {
  readonly calls: number;
  readonly estimated: number;
  readonly unpriced: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Millionths of a US dollar; null when no call has a price. */
  readonly cost: number | null;
}

/** The columns of a `SumRow`. */
export const sumColumns: RawBuilder<SumRow> = sql`count(*) as calls, coalesce(sum(estimated), 0) as estimated,
  coalesce(sum(case when cost is null then 1 else 0 end), 0) as unpriced, coalesce(sum(input_tokens), 0) as input,
  coalesce(sum(output_tokens), 0) as output, coalesce(sum(cached_tokens), 0) as cached, sum(cost) as cost`;

export const noCalls: SumRow = { calls: 0, estimated: 0, unpriced: 0, input: 0, output: 0, cached: 0, cost: null };

export function addSums(a: SumRow, b: SumRow): SumRow {
  return {
    calls: a.calls + b.calls,
    estimated: a.estimated + b.estimated,
    unpriced: a.unpriced + b.unpriced,
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    cost: a.cost === null ? b.cost : a.cost + (b.cost ?? 0),
  };
}

export function usageSum({ calls, estimated, unpriced, input, output, cached, cost }: SumRow): UsageSum {
  return {
    calls,
    estimated_calls: estimated,
    unpriced_calls: unpriced,
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
    cost: cost === null ? null : dollars(cost),
  };
}

/** Converts millionths of a US dollar to dollars. */
export const dollars = (millionths: number): number => millionths / 1_000_000;
