import type { Clock } from "../time/clock.ts";

/** Makes a clock whose time passes only when everything is idle: the next sleeper then wakes. Once stopped, no sleep ends. */
export function createVirtualClock(): Clock & { readonly stop: () => void } {
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  let now = 0;
  let turning = false;
  let stopped = false;

  function turn(): void {
    const next = [...sleepers].toSorted((a, b) => a.until - b.until)[0];
    turning = next !== undefined;
    if (next === undefined) return;
    now = Math.max(now, next.until);
    sleepers.delete(next);
    next.wake();
    setImmediate(turn);
  }

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        if (stopped) return;
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        });
        if (!turning) setImmediate(turn);
        turning = true;
      }),
    stop: () => {
      stopped = true;
      sleepers.clear();
    },
  };
}
