import type { AgentRetry } from "@crosszone/contracts";

/** Clock and timers; the process's own when absent. */
export interface CallTime {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
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
