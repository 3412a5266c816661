import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "@crosszone/sql";

export interface SettleOptions<T> {
  /** Stores the end. */
  readonly store: () => Promise<T>;
  /** Called with each failure. Returns true when it is of no use to try again. */
  readonly onFailure: (cause: unknown) => boolean;
  /** Aborted when this process gives up: the current attempt is the last one. */
  readonly signal: AbortSignal;
}

const backoff = { firstMs: 50, longestMs: 2_000 };

/** Stores the end of a job as soon as the store accepts it. Resolves with undefined when that was given up. */
export async function settle<T>({ store, onFailure, signal }: SettleOptions<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (cause) {
      if (onFailure(cause) || signal.aborted) return undefined;
      await delay(backoffMs(backoff, attempt), undefined, { signal }).catch(() => undefined);
    }
  }
}
