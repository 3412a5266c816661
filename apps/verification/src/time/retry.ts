import { type Backoff, backoffMs } from "@crosszone/sql";
import type { Clock } from "./clock.ts";

const backoff = { firstMs: 500, longestMs: 30_000 };

export interface RetryForeverOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onFailure: (error: unknown, attempt: number) => void;
}

/** Runs a startup operation until it succeeds. Rejects only when `signal` aborts, with its reason. */
export async function retryForever<T>(
  operation: () => Promise<T>,
  { signal, clock, onFailure }: RetryForeverOptions,
): Promise<T> {
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

export interface RetryOptions extends Backoff {
  /** No attempt starts later than this after the first failure, milliseconds. The duration of the first attempt does not count. */
  readonly budgetMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /**
   * Returns the wait that the peer requests before the next attempt, milliseconds; 0 when it requests none; undefined when the error is not
   * retryable.
   */
  readonly retryAfter: (error: unknown) => number | undefined;
  readonly onRetry?: (error: unknown, next: { readonly attempt: number; readonly waitMs: number }) => void;
}

/**
 * Runs `operation` until it succeeds, its error is not retryable, or the budget is spent; then rejects with the last error. This is the
 * only place that retries Slack posts and calls to the other zone, with one exception: the transport retries calls that a platform in
 * between refused, and marks their errors as not retryable. Rejects with the signal's reason when it aborts.
 */
export async function retrying<T>(operation: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { budgetMs, clock, signal, retryAfter, onRetry } = options;
  let failedAt: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await operation(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      const asked = retryAfter(error);
      if (asked === undefined) throw error;
      const waitMs = Math.round(asked + backoffMs(options, attempt));
      failedAt ??= clock.now();
      if (clock.now() - failedAt + waitMs > budgetMs) throw error;
      onRetry?.(error, { attempt: attempt + 1, waitMs });
      await clock.sleep(waitMs, signal);
    }
  }
}
