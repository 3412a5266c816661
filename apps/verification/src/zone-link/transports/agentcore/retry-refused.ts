import { setTimeout } from "node:timers/promises";
import type { LinkError } from "@crosszone/jsonrpc";
import { readRefusal } from "./platform-refusals.ts";

export interface RefusedRetryOptions {
  /** No new attempt starts later than this after the first one, milliseconds. */
  readonly budgetMs: number;
  /** Maximum pause after the first refusal, milliseconds; it doubles with each refusal. */
  readonly firstMs: number;
  readonly longestMs: number;
  readonly signal: AbortSignal;
  readonly onRetry?: ((repeat: RefusedRetry) => void) | undefined;
}

/** A refusal that is about to be retried. */
export interface RefusedRetry {
  readonly error: LinkError;
  /** The number of the next attempt, from 2. */
  readonly attempt: number;
  readonly waitMs: number;
}

/**
 * Returns a random pause between zero and a limit that doubles, milliseconds. The full range spreads out clients that were refused
 * together. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitterMs(
  refusals: number,
  { firstMs, longestMs }: Pick<RefusedRetryOptions, "firstMs" | "longestMs">,
): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (refusals - 1));
}

/**
 * Retries a call while the platform refuses it temporarily: throttling, a conflict, or an internal failure. Only this function retries
 * these refusals; the error that it gives up with is not retryable. Other errors are thrown at once.
 */
export async function retryRefused<T>(call: () => Promise<T>, options: RefusedRetryOptions): Promise<T> {
  const startedAt = performance.now();
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await call();
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (refusal === undefined) throw thrown;
      const waitMs = fullJitterMs(refusals, options);
      const over = performance.now() - startedAt + waitMs > options.budgetMs;
      if (refusal.retriedBy !== "transport" || over) throw refusal.error;
      options.onRetry?.({ error: refusal.error, attempt: refusals + 1, waitMs });
      await setTimeout(waitMs, undefined, { signal: options.signal });
    }
  }
}
