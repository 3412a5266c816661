import { retry, TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { InboxFullError } from "./endings.ts";

/** Retries a call of the zone's database within the time that remains. */
export type StoreRetry = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that retries a database call while it fails, for example after a lost connection, within `budgetMs` milliseconds from
 * now in total. The call must be safe to repeat. A full inbox and a timeout are not retried.
 */
export function createStoreRetry(budgetMs: number): StoreRetry {
  const until = performance.now() + budgetMs;
  const left = (): number => Math.max(0, until - performance.now());
  const isLast = (error: unknown): boolean => error instanceof InboxFullError || error instanceof TimeLimitError;
  return (call) =>
    retry(() => withTimeout(left(), call), {
      firstMs: 100,
      longestMs: 150,
      budgetMs: left(),
      retryAfter: (error) => (isLast(error) ? undefined : 0),
    });
}
