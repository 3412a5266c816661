import { setTimeout as delay } from "node:timers/promises";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit";
import { InboxFullError } from "./endings.ts";

const pauseMs = 100;

/**
 * Returns a function that retries a database call while it fails, for example after a lost connection, within `budgetMs` milliseconds from
 * now in total. The call must be safe to repeat. A full inbox and a timeout are not retried.
 */
export function createInsistence(budgetMs: number): <Result>(ask: () => Promise<Result>) => Promise<Result> {
  const until = performance.now() + budgetMs;
  const left = (): number => until - performance.now();
  return async (ask) => {
    for (;;) {
      try {
        return await withTimeout(Math.max(0, left()), ask);
      } catch (error) {
        if (error instanceof InboxFullError || error instanceof TimeLimitError) throw error;
        const waitMs = pauseMs * (0.5 + Math.random());
        if (left() <= waitMs) throw error;
        await delay(waitMs);
      }
    }
  };
}
