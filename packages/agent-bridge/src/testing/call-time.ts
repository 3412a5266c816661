import type { CallTime } from "../calls/pauses.ts";

export interface VirtualTime extends CallTime {
  /** All pauses, milliseconds. */
  readonly pauses: readonly number[];
}

/** A clock that advances only during pauses, which end at once. `random` always returns the same number. */
export function virtualTime(random = 1): VirtualTime {
  let now = 1_000_000;
  const pauses: number[] = [];
  return {
    pauses,
    now: () => now,
    random: () => random,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      pauses.push(ms);
      now += ms;
      // Lets pending requests proceed.
      await new Promise(setImmediate);
      signal.throwIfAborted();
    },
  };
}
