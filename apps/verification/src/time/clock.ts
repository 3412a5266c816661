import { setTimeout } from "node:timers/promises";

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
