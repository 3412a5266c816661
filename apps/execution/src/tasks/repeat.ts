import { setTimeout as delay } from "node:timers/promises";

/** Work that is repeated. */
export interface Repeated {
  /** Starts no further round. Resolves when the current one has ended. */
  stop(): Promise<void>;
}

/**
 * Repeats work with pauses until stopped. Each pause varies a little, so that processes that started together drift
 * apart. `work` must handle its own errors and never reject.
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
