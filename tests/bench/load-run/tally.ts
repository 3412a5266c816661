import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import type { Kind, LoadAnswer } from "./load-request.ts";

/** What is known of all requests of one kind. Latencies in milliseconds. */
export interface TallyRow {
  kind: Kind;
  requests: number;
  undeserved: number;
  p50: number;
  p99: number;
  max: number;
}

export interface Tally {
  add(kind: Kind, outcome: { answer: LoadAnswer; right: boolean; ms: number }): void;
  rows(): TallyRow[];
  /** Over all kinds. */
  totals(): { requests: number; undeserved: number };
  /** The first answers that were not deserved, for a person to look at. */
  examples(): string[];
}

/** Counts by kind. Latencies go into Node's own HDR histogram, three digits exact: nothing is sampled, and no library is needed. */
export function createTally(kinds: readonly Kind[]): Tally {
  const examples: string[] = [];
  const counts = new Map(kinds.map((kind) => [kind, { undeserved: 0, latency: createHistogram() }]));
  return {
    add: (kind, { answer, right, ms }) => {
      const row = counts.get(kind);
      if (row === undefined) throw new TypeError(`there is no kind ${kind.name}`);
      row.latency.record(Math.max(1, Math.round(ms * 1_000)));
      if (right) return;
      row.undeserved += 1;
      if (examples.length < 10)
        examples.push(`${kind.zone}, ${kind.name}: ${answer.status} ${answer.body.slice(0, 200)}`);
    },
    rows: () =>
      [...counts].map(([kind, { undeserved, latency }]) => ({
        kind,
        undeserved,
        requests: latency.count,
        ...latenciesOf(latency),
      })),
    totals: () => {
      const all = [...counts.values()];
      return {
        requests: all.reduce((sum, { latency }) => sum + latency.count, 0),
        undeserved: all.reduce((sum, { undeserved }) => sum + undeserved, 0),
      };
    },
    examples: () => examples,
  };
}

/** Milliseconds of a histogram of microseconds. */
export function latenciesOf(latency: RecordableHistogram): Pick<TallyRow, "p50" | "p99" | "max"> {
  return { p50: latency.percentile(50) / 1_000, p99: latency.percentile(99) / 1_000, max: latency.max / 1_000 };
}
