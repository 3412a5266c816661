import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "./environment.ts";

/**
 * Polls each service until all are ready. Resolves with false after `silentMs` milliseconds without a sign of life: a service that became
 * ready, or something that a service said, at `saidAt` (Unix milliseconds).
 */
export async function waitUntilReady(
  services: readonly Service[],
  silentMs: number,
  saidAt: () => number = () => 0,
): Promise<boolean> {
  let readyAt = Date.now();
  const isSilent = (): boolean => Date.now() > Math.max(readyAt, saidAt()) + silentMs;
  async function untilReady(url: string): Promise<boolean> {
    while (!isSilent()) {
      const ok = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
        (response) => response.ok,
        () => false,
      );
      if (ok) {
        readyAt = Date.now();
        return true;
      }
      await delay(100);
    }
    return false;
  }
  const answers = await Promise.all(services.map(({ url, readyPath }) => untilReady(url + readyPath)));
  return answers.every(Boolean);
}
