/** The time, and waits. Tests and the simulation pass another one. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not the promise of node:timers, which makes an error with a stack of its own for each wait that ends early, as most do.
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal?.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  },
};

/** Growing pauses, milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the pause after a failed attempt (from 1), milliseconds. It doubles with each attempt, with jitter, so that operations that failed
 * together are not retried together.
 */
export const backoffMs = ({ firstMs, longestMs }: Backoff, attempt: number): number =>
  Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

export interface RetryOptions extends Backoff {
  /**
   * No attempt starts later than this after the first failure, milliseconds; without it, there is no limit. The duration of the first
   * attempt does not count.
   */
  readonly budgetMs?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /**
   * Returns the wait that is asked for before the next attempt, milliseconds; 0 when none is; undefined when the error is not retryable.
   * Without it, every error is.
   */
  readonly retryAfter?: (error: unknown) => number | undefined;
  /** Called before each wait. */
  readonly onRetry?: (error: unknown, next: { readonly attempt: number; readonly waitMs: number }) => void;
}

/**
 * Runs `operation` until it succeeds, its error is not retryable, or the budget is spent; then rejects with the last error. Rejects with the
 * signal's reason when it aborts. Only for operations that are safe to repeat: an attempt may have taken effect.
 */
export async function retry<T>(operation: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { budgetMs = Infinity, clock = systemClock, signal, retryAfter = () => 0, onRetry } = options;
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
