/** The time, and waits. Tests and the simulation pass another one. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not the promise of node:timers, which makes an error with a stack of its own for each wait that ends early, as most do.
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal?.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  },
};
