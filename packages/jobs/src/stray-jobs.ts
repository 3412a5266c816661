import type { HeldJob } from "./job.ts";
import type { JobStore } from "./job-store.ts";

export interface StrayJobsDeps {
  readonly store: Pick<JobStore, "held">;
  /** The kind whose shares are looked at. */
  readonly kind: string;
  readonly leaseMs: number;
  readonly isRunning: (id: string) => boolean;
}

/** Least time between two looks, milliseconds: what was just leased begins within it. */
const leastMs = 1_000;

/**
 * Returns a function that finds jobs leased to this process without a run: they were stored or taken, and the answer was
 * lost with the connection. It looks three times per lease, and returns those that it finds twice in a row.
 */
export function strayJobs({ store, kind, leaseMs, isRunning }: StrayJobsDeps): () => Promise<readonly HeldJob[]> {
  const everyMs = Math.max(leastMs, leaseMs / 3);
  let seen = new Map<string, number>();
  let nextAt = performance.now() + everyMs;
  return async () => {
    if (performance.now() < nextAt) return [];
    nextAt = performance.now() + everyMs;
    const without = (await store.held(kind)).filter(({ id }) => !isRunning(id));
    const strays = without.filter(({ id, attempt }) => seen.get(id) === attempt);
    seen = new Map(without.map(({ id, attempt }) => [id, attempt]));
    return strays;
  };
}
