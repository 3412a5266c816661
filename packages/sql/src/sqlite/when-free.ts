import { setTimeout as delay } from "node:timers/promises";

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
const longestWaitMs = 5_000;

/** Retries a statement while another connection writes. Rejects with SQLite's own error after five seconds. */
export async function whenFree<T>(statement: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await statement();
    } catch (error) {
      const busy = (error as { errcode?: number }).errcode;
      // The low byte is the primary code; the other bytes extend it.
      if (busy === undefined || (busy & 0xff) !== sqliteBusy) throw error;
      if (performance.now() - startedAt > longestWaitMs) throw error;
      await delay(Math.random() * Math.min(20, 2 ** attempt));
    }
  }
}
