import { setTimeout } from "node:timers/promises";

/**
 * A wait that takes this much longer than requested means that the process was suspended. Leases are given up earlier than this before
 * their end, milliseconds.
 */
const standstillMs = 100;

/**
 * Resolves when every due timer has run. A suspended process resumes before the timers that end its leases, so await this before
 * irreversible actions. If the process is suspended during this wait, whose timer is due before theirs, the wait repeats.
 */
export async function timersFirst(): Promise<void> {
  let began: number;
  do {
    began = performance.now();
    await setTimeout(1);
  } while (performance.now() - began > standstillMs);
}

/** Waits for `work`, but at most `ms` milliseconds. The work continues after that. */
export async function atMost(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort();
}

/** The app's clock. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, signal && { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
