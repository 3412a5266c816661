import { setTimeout as delay } from "node:timers/promises";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit";
import { InboxFullError } from "./endings.ts";

/** Retries a call of the zone's database within the time that remains. */
export type StoreRetry = <Result>(call: () => Promise<Result>) => Promise<Result>;

const pauseMs = 100;

/**
 * Returns a function that retries a database call while it fails, for example after a lost connection, within `budgetMs` milliseconds from
 * now in total. The call must be safe to repeat. A full inbox and a timeout are not retried.
 */
export function createStoreRetry(budgetMs: number): StoreRetry {
  const until = performance.now() + budgetMs;
  const left = (): number => until - performance.now();
  return async (call) => {
    for (;;) {
      try {
        return await withTimeout(Math.max(0, left()), call);
      } catch (error) {
        if (error instanceof InboxFullError || error instanceof TimeLimitError) throw error;
        const waitMs = pauseMs * (0.5 + Math.random());
        if (left() <= waitMs) throw error;
        await delay(waitMs);
      }
    }
  };
}
