import type { Clock } from "../clock.ts";
import { zoneRetryAfter } from "./retry-after.ts";
import type { RetryOptions } from "./retry.ts";

/** How a call to the execution zone is repeated: soon at first, then every few seconds, for `budgetMs` milliseconds in all. */
export function zonePatience(
  budgetMs: number,
  rest: { readonly clock: Clock; readonly signal: AbortSignal; readonly onRetry: NonNullable<RetryOptions["onRetry"]> },
): RetryOptions {
  return { ...rest, budgetMs, firstMs: 300, longestMs: 5_000, retryAfter: zoneRetryAfter };
}
