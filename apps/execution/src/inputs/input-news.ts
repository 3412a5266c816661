import { atMost, unlessAborted } from "@crosszone/service-kit/timing";

/** How often another process's changes are looked for while a caller waits for them, milliseconds. */
const pollMs = 1_000;

/** Lets callers wait for changes: those of this process end the wait at once, those of others at the next look. */
export class InputNews {
  readonly #waiting = new Set<() => void>();

  /** Tells all waiting callers of a change. */
  tell(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Returns what `read` finds. While that is nothing, reads again for `waitMs` milliseconds, or until the signal aborts. */
  async find<Found>(
    read: () => Promise<readonly Found[]>,
    { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Found[]> {
    const until = performance.now() + waitMs;
    for (;;) {
      const { promise: changed, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      try {
        const found = await read();
        const leftMs = until - performance.now();
        if (found.length > 0 || leftMs <= 0 || signal?.aborted === true) return found;
        const wait = signal === undefined ? changed : unlessAborted(changed, signal).catch(() => undefined);
        await atMost(Math.min(leftMs, pollMs), wait);
      } finally {
        this.#waiting.delete(resolve);
      }
    }
  }
}
