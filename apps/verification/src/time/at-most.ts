import type { Clock } from "./clock.ts";

/** Waits for `work`, but at most `ms` milliseconds. The work continues after that. */
export async function atMost(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, clock.sleep(ms, over.signal).catch(() => undefined)]);
  over.abort();
}
