import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError } from "./endings.ts";
import type { Lease } from "./leases.ts";
import { backoffMs } from "../tasks/retry.ts";

const backoff = { firstMs: 100, longestMs: 2_000 };

/**
 * Tells the inbox how the work on a record has ended, for as long as the lease can be renewed: an answer that was given shall not be
 * given again because the database was away for a moment. False when somebody else has the record.
 */
export async function settle(tell: () => Promise<void>, lease: Lease): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await tell();
      return true;
    } catch (error) {
      // Nobody else can have it yet, so it was this that ended the lease: the inbox was told before, and its answer was lost.
      if (error instanceof LeaseLostError && attempt > 1 && !lease.isOver()) return true;
      if (error instanceof LeaseLostError) lease.lose();
      if (lease.signal.aborted) return false;
      await delay(backoffMs(attempt, backoff), undefined, { signal: lease.signal }).catch(() => undefined);
    }
  }
}
