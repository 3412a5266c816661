import { setTimeout as delay } from "node:timers/promises";
import { isApiFailure } from "./api-failure.ts";

/** How often a request is sent at most. */
const mostAttempts = 3;

/** The pause before the second attempt, when the zone names none; longer by as much for each one more. Milliseconds. */
const firstPauseMs = 300;

/** Who would have to wait longer is told so instead; milliseconds. */
const longestPauseMs = 30_000;

/** The least and the most time before a stream that ended is opened anew, unless the zone asks for more; milliseconds. */
const leastReturnMs = 100;
const longestReturnMs = 15_000;

/** Attempts again what was not answered, or what the zone could not do for now: for requests that do nothing twice. */
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
 * How long to wait before a stream is opened anew that brought nothing new so many times in a row, milliseconds: `askedMs` at least, and
 * longer and longer.
 */
export function returnPause(askedMs: number, times: number): number {
  return Math.max(askedMs, Math.min(Math.max(askedMs, leastReturnMs) * 2 ** times, longestReturnMs));
}

/** How long to wait before the next attempt, milliseconds: what the zone asks for, otherwise `pauseMs`. Nothing when it would fail again. */
export function pauseAfter(error: unknown, pauseMs: number): number | undefined {
  if (!isApiFailure(error) || !error.isPassing) return undefined;
  const asked = error.pauseMs ?? pauseMs;
  return asked <= longestPauseMs ? asked : undefined;
}
