import type { CallTime } from "../calls/pauses.ts";

export interface VirtualTime extends CallTime {
  /** Every pause that was made, milliseconds. */
  readonly pauses: readonly number[];
}

/** Time that passes only while somebody pauses, and then at once. `random` gives the same number always. */
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
      // Requests that are under way get their turn.
      await new Promise(setImmediate);
      signal.throwIfAborted();
    },
  };
}
