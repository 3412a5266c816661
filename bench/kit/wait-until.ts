import { setTimeout as wait } from "node:timers/promises";

/** Polls until a value is defined, and returns it. Throws after half a minute. */
export async function waitUntil<T>(what: string, poll: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const found = await poll();
    if (found !== undefined) return found;
    await wait(50);
  }
  throw new Error(`timed out before ${what}`);
}
