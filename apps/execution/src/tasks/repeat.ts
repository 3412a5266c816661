import { setTimeout as delay } from "node:timers/promises";

/** Work that is done over and over. */
export interface Repeated {
  /** Begins no more of it; resolves when what is under way is done. */
  stop(): Promise<void>;
}

/**
 * Does something, waits, does it again, until it is stopped. Each pause is a little different, so that processes which began together
 * do not stay together. `work` sees to its own errors; it must not reject.
 */
export function repeat(work: () => Promise<void>, pauseMs: number): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = (async () => {
    while (!signal.aborted) {
      await work();
      // The pause alone does not keep the process alive.
      await delay(pauseMs * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
