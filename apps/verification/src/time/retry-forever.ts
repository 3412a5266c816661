import { backoffMs } from "@crosszone/sql";
import type { Clock } from "./clock.ts";

const backoff = { firstMs: 500, longestMs: 30_000 };

export interface InsistOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onFailure: (error: unknown, attempt: number) => void;
}

/** Runs a startup operation until it succeeds. Rejects only when `signal` aborts, with its reason. */
export async function insist<T>(operation: () => Promise<T>, { signal, clock, onFailure }: InsistOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await operation();
    } catch (error) {
      onFailure(error, attempt);
      await clock.sleep(backoffMs(backoff, attempt), signal);
    }
  }
}
