import type { Clock } from "../../time/clock.ts";
import { zoneRetryAfter } from "../posting/retry-after.ts";
import type { RetryOptions } from "../../time/retry.ts";

/** Returns retry options for calls to execution: short pauses first, then every few seconds, for `budgetMs` milliseconds in total. */
export function zonePatience(
  budgetMs: number,
  rest: { readonly clock: Clock; readonly signal: AbortSignal; readonly onRetry: NonNullable<RetryOptions["onRetry"]> },
): RetryOptions {
  return { ...rest, budgetMs, firstMs: 300, longestMs: 5_000, retryAfter: zoneRetryAfter };
}
