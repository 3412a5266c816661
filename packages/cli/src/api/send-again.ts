import { setTimeout as delay } from "node:timers/promises";
import { isApiFailure } from "./api-failure.ts";

/** Maximum attempts of a request. */
const mostAttempts = 3;

/** Delay before the second attempt when the zone names none, milliseconds. Each further attempt adds as much. */
const firstPauseMs = 300;

/** The longest delay before a retry, milliseconds. The request fails instead of waiting longer. */
const longestPauseMs = 30_000;

/** Shortest and longest delay before a closed stream is reopened, milliseconds. The zone can ask for more. */
const leastReturnMs = 100;
const longestReturnMs = 15_000;

/** Retries a request after transient failures. Only for requests that are safe to repeat. */
export async function sendAgain<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = pauseAfter(error, firstPauseMs * count);
      if (pauseMs === undefined || count >= mostAttempts) throw error;
      await delay(pauseMs);
    }
  }
}

/**
 * Returns the delay before a stream is reopened, milliseconds: at least `askedMs`, doubled for each of the `times` connections in a row
 * that brought no new event.
 */
export function returnPause(askedMs: number, times: number): number {
  return Math.max(askedMs, Math.min(Math.max(askedMs, leastReturnMs) * 2 ** times, longestReturnMs));
}

/** Returns the delay before the next attempt, milliseconds: the zone's, otherwise `pauseMs`. Undefined when a retry would fail again. */
export function pauseAfter(error: unknown, pauseMs: number): number | undefined {
  if (!isApiFailure(error) || !error.isPassing) return undefined;
  const asked = error.pauseMs ?? pauseMs;
  return asked <= longestPauseMs ? asked : undefined;
}
