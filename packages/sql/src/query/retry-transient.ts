import { setTimeout as delay } from "node:timers/promises";
import { isTransient } from "./errors.ts";

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

export interface RetryOptions {
  /** How long to retry, milliseconds (default 10 s). Does not interrupt a running attempt. */
  readonly budgetMs?: number;
  /** Aborting it prevents further attempts. */
  readonly signal?: AbortSignal;
  /** Called before each wait. */
  readonly onRetry?: (retry: { readonly error: unknown; readonly attempt: number; readonly waitMs: number }) => void;
}

const backoff: Backoff = { firstMs: 20, longestMs: 1_000 };

/**
 * Retries an operation after transient errors (`isTransient`) with growing backoff. Throws the last error when the budget is used up, and
 * any other error at once. Only for operations that are safe to repeat: an attempt may have taken effect.
 */
export async function retryTransient<T>(
  operation: () => Promise<T>,
  { budgetMs = 10_000, signal, onRetry }: RetryOptions = {},
): Promise<T> {
  const endsAt = performance.now() + budgetMs;
  signal?.throwIfAborted();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const leftMs = endsAt - performance.now();
      if (!isTransient(error) || leftMs <= 0 || signal?.aborted) throw error;
      const waitMs = Math.min(leftMs, backoffMs(backoff, attempt));
      onRetry?.({ error, attempt, waitMs });
      await delay(waitMs, undefined, signal && { signal }).catch(() => {
        throw error;
      });
    }
  }
}

/** Retries an operation for a second while the database is unreachable, when somebody waits for it. */
export const retryBriefly = <T>(operation: () => Promise<T>): Promise<T> =>
  retryTransient(operation, { budgetMs: 1_000 });
