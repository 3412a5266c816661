import { setTimeout } from "node:timers/promises";
import type { LinkError } from "@crosszone/jsonrpc";
import { readRefusal } from "./platform-refusals.ts";

export interface RepeatOptions {
  /** No new attempt begins later than this after the first one, milliseconds. */
  readonly budgetMs: number;
  /** Longest pause after the first refusal, milliseconds; it doubles with each refusal. */
  readonly firstMs: number;
  readonly longestMs: number;
  readonly signal: AbortSignal;
  readonly onRepeat?: ((repeat: Repeat) => void) | undefined;
}

/** A refusal that is about to be answered with another attempt. */
export interface Repeat {
  readonly error: LinkError;
  /** The number of the attempt to come, from 2. */
  readonly attempt: number;
  readonly waitMs: number;
}

/**
 * A pause of any length up to a limit that doubles. Wider than half of it: those who were refused together come back spread out.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitterMs(
  refusals: number,
  { firstMs, longestMs }: Pick<RepeatOptions, "firstMs" | "longestMs">,
): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (refusals - 1));
}

/**
 * Does a call again while the platform refuses it in a way that passes: throttling, a conflict, a failure of its own. This is the
 * only place that repeats these; what it gives up is thrown as not retryable. Everything else is thrown at once.
 */
export async function repeatRefused<T>(call: () => Promise<T>, options: RepeatOptions): Promise<T> {
  const startedAt = performance.now();
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await call();
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (refusal === undefined) throw thrown;
      const waitMs = fullJitterMs(refusals, options);
      const over = performance.now() - startedAt + waitMs > options.budgetMs;
      if (refusal.repeatedBy !== "transport" || over) throw refusal.error;
      options.onRepeat?.({ error: refusal.error, attempt: refusals + 1, waitMs });
      await setTimeout(waitMs, undefined, { signal: options.signal });
    }
  }
}
