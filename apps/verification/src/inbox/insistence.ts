import { setTimeout as delay } from "node:timers/promises";
import { TimeLimitError, within } from "@crosszone/service-kit";
import { InboxFullError } from "./inbox.ts";

const pauseMs = 100;

/**
 * Asks the database again while it fails, as a connection does that was just lost, for `budgetMs` milliseconds from now in all. What
 * is asked must be safe to repeat. A full inbox is not asked twice.
 */
export function createInsistence(budgetMs: number): <Result>(ask: () => Promise<Result>) => Promise<Result> {
  const until = performance.now() + budgetMs;
  const left = (): number => until - performance.now();
  return async (ask) => {
    for (;;) {
      try {
        return await within(Math.max(0, left()), ask);
      } catch (error) {
        if (error instanceof InboxFullError || error instanceof TimeLimitError) throw error;
        const waitMs = pauseMs * (0.5 + Math.random());
        if (left() <= waitMs) throw error;
        await delay(waitMs);
      }
    }
  };
}
