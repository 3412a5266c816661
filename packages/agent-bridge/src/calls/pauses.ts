import type { AgentRetry } from "@crosszone/contracts";
import type { Clock } from "@crosszone/service-kit/timing";

/** Clock and timers; the process's own when absent. */
export interface CallTime extends Clock {
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * Returns the pause before the next attempt, milliseconds: random, up to twice the previous limit, so that callers that
 * failed together spread out. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ ("full jitter")
 */
export function retryPause({ base_ms, max_ms }: AgentRetry, attempts: number, random: number): number {
  return Math.floor(random * Math.min(max_ms, base_ms * 2 ** (attempts - 1)));
}

const firstPollMs = 250;
const longestPollMs = 5_000;

/**
 * Returns the pause before a poll, milliseconds: a quarter of a second at first, five seconds at the end, with jitter.
 * Each is half as long again as the previous one, so an answer waits at most half of the time that it took.
 */
export function pollPause(polls: number, random: number): number {
  return Math.floor(Math.min(longestPollMs, firstPollMs * 1.5 ** polls) * (1 - random / 4));
}

/**
 * Parses `Retry-After`, seconds or a date, to milliseconds from now; 0 when absent or invalid. A date is relative to
 * the agent's own clock if the agent sends a `Date`. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(headers: Readonly<Record<string, string | undefined>>, now: number): number {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with the day's name; Date.parse accepts other texts, too.
  if (!/^[A-Z][a-z]+, /.test(text)) return 0;
  const until = Date.parse(text);
  const from = Date.parse(headers["date"] ?? "");
  return Number.isNaN(until) ? 0 : Math.max(0, until - (Number.isNaN(from) ? now : from));
}
