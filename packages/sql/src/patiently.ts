import { setTimeout as delay } from "node:timers/promises";
import { isTransient } from "./is-transient.ts";

export interface PatienceOptions {
  /** How long the operation may be begun again; milliseconds (default 10 s). What is under way then is not cut. */
  readonly budgetMs?: number;
  /** Aborted, nothing is begun again. */
  readonly signal?: AbortSignal;
  /** Told before each wait. */
  readonly onRepeat?: (repeat: { readonly error: unknown; readonly attempt: number; readonly waitMs: number }) => void;
}

const firstWaitMs = 20;
const longestWaitMs = 1_000;

/**
 * Repeats an operation that failed for a reason that passes (`isTransient`), with longer and longer waits, and throws its last error
 * when the budget is used up; any other error at once. Only for what is safe to repeat: it may have taken effect already.
 */
export async function patiently<T>(
  operation: () => Promise<T>,
  { budgetMs = 10_000, signal, onRepeat }: PatienceOptions = {},
): Promise<T> {
  const endsAt = performance.now() + budgetMs;
  signal?.throwIfAborted();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const leftMs = endsAt - performance.now();
      if (!isTransient(error) || leftMs <= 0 || signal?.aborted) throw error;
      // Who lost the same server does not come back in the same moment.
      const waitMs = Math.min(leftMs, longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      onRepeat?.({ error, attempt, waitMs });
      await delay(waitMs, undefined, signal && { signal }).catch(() => {
        throw error;
      });
    }
  }
}
