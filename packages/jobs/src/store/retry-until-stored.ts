import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "@crosszone/sql";

export interface RetryUntilStoredOptions<T> {
  /** Stores the end. */
  readonly store: () => Promise<T>;
  /** Called with each failure. Returns true when a retry is of no use. */
  readonly onFailure: (cause: unknown) => boolean;
  /** Once aborted, the current attempt is the last one. */
  readonly signal: AbortSignal;
}

const backoff = { firstMs: 50, longestMs: 2_000 };

/** Stores the end of a job as soon as the store accepts it. Retries with a backoff. Resolves with undefined when it gives up. */
export async function retryUntilStored<T>({
  store,
  onFailure,
  signal,
}: RetryUntilStoredOptions<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (cause) {
      if (onFailure(cause) || signal.aborted) return undefined;
      await delay(backoffMs(backoff, attempt), undefined, { signal }).catch(() => undefined);
    }
  }
}
