/** Lets a loop sleep until it is woken. A wake-up while nothing sleeps is remembered: the next sleep ends at once. */
export interface Alarm {
  readonly wake: () => void;
  /** Sleeps at most `ms` milliseconds; without `ms`, until it is woken. */
  readonly sleep: (ms?: number) => Promise<void>;
}

/** Creates an alarm for one loop. */
export function createAlarm(): Alarm {
  let isDue = false;
  let ring: (() => void) | undefined;
  return {
    wake: () => {
      isDue = true;
      ring?.();
    },
    sleep: async (ms) => {
      if (!isDue) {
        const rung = Promise.withResolvers<void>();
        ring = rung.resolve;
        const timer = ms === undefined ? undefined : setTimeout(ring, ms);
        await rung.promise;
        clearTimeout(timer);
        ring = undefined;
      }
      isDue = false;
    },
  };
}
