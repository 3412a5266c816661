/** How a consumer waits until there may be something to take. */
export interface ConsumerPause {
  /** Ends the wait; when none is under way, the next one. */
  readonly wake: () => void;
  /** Until it is woken, or so long; milliseconds. Without a time, until it is woken. */
  readonly wait: (ms?: number) => Promise<void>;
}

export function createConsumerPause(): ConsumerPause {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wake: () => {
      woken = true;
      end?.();
    },
    wait: async (ms) => {
      if (!woken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        end = resolve;
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
        end = undefined;
      }
      woken = false;
    },
  };
}
