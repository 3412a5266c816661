import type { Clock } from "../clock.ts";

export interface Backoff {
  /** Longest pause after the first failure, milliseconds; it doubles with each failure. */
  readonly firstMs: number;
  readonly longestMs: number;
}

export interface RetryOptions extends Backoff {
  /** No new attempt begins later than this after the first one failed, milliseconds: what it took before that says nothing. */
  readonly budgetMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** How long the other side asks to wait before the next attempt, milliseconds, 0 when it does not say; nothing for "never again". */
  readonly retryAfter: (error: unknown) => number | undefined;
  readonly onRetry?: (error: unknown, next: { readonly attempt: number; readonly waitMs: number }) => void;
}

/** A random pause before the attempt after `attempt`, so that many who failed together do not come back together. */
export function backoffMs(attempt: number, { firstMs, longestMs }: Backoff): number {
  const longest = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return longest / 2 + (Math.random() * longest) / 2;
}

/**
 * Does something again until it works, must not be repeated, or the budget is spent; then the last error is thrown. This is the
 * only place that repeats posts to Slack, and calls to the other zone, except those that a platform on the way refused: these
 * their transport repeats, and hands on as not retryable. Rejects with the signal's reason when it aborts.
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
      const waitMs = Math.round(asked + backoffMs(attempt, options));
      failedAt ??= clock.now();
      if (clock.now() - failedAt + waitMs > budgetMs) throw error;
      onRetry?.(error, { attempt: attempt + 1, waitMs });
      await clock.sleep(waitMs, signal);
    }
  }
}
