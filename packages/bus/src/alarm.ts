/** Lets a loop sleep until somebody has something for it. A call while nobody sleeps is not forgotten: the next sleep ends at once. */
export interface Alarm {
  readonly wake: () => void;
  /** Sleeps so long at the most, milliseconds; without a time, until it is woken. */
  readonly sleep: (ms?: number) => Promise<void>;
}

/** An alarm for one sleeper: a loop. */
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
