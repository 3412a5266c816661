import { retry, type RetryOptions } from "@crosszone/service-kit/timing";
import { isTransient } from "./errors.ts";

/** Retries an operation after transient errors (`isTransient`), for ten seconds unless the options say otherwise. */
export const retryTransient = <T>(
  operation: () => Promise<T>,
  options: Pick<RetryOptions, "budgetMs" | "signal" | "onRetry"> = {},
): Promise<T> =>
  retry(operation, {
    firstMs: 20,
    longestMs: 1_000,
    budgetMs: 10_000,
    retryAfter: (error) => (isTransient(error) ? 0 : undefined),
    ...options,
  });

/** Retries an operation for a second while the database is unreachable, when somebody waits for it. */
export const retryBriefly = <T>(operation: () => Promise<T>): Promise<T> =>
  retryTransient(operation, { budgetMs: 1_000 });
