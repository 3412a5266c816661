import type { Clock } from "./clock.ts";

/** Waits for work, but no longer than so many milliseconds; then the work goes on alone. */
export async function atMost(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort();
}
