import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError } from "./endings.ts";
import type { Lease } from "./leases.ts";
import { backoffMs } from "../tasks/retry.ts";

const backoff = { firstMs: 100, longestMs: 2_000 };

/**
 * Records the ending of the work on a record, with retries while its lease can be renewed, so that a short database outage does not cause a
 * second answer. Resolves with false if another process has the record.
 */
export async function settle(tell: () => Promise<void>, lease: Lease): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await tell();
      return true;
    } catch (error) {
      // No other process can have it yet, so this call ended the lease: an earlier attempt succeeded and its response was lost.
      if (error instanceof LeaseLostError && attempt > 1 && !lease.isOver()) return true;
      if (error instanceof LeaseLostError) lease.lose();
      if (lease.signal.aborted) return false;
      await delay(backoffMs(attempt, backoff), undefined, { signal: lease.signal }).catch(() => undefined);
    }
  }
}
