import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "./environment.ts";

/** Polls each service until all are ready; resolves with false when one is not ready within `timeoutMs`. */
export async function waitUntilReady(services: readonly Service[], timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  const answers = await Promise.all(services.map(({ url, readyPath }) => untilReady(url + readyPath, deadline)));
  return answers.every(Boolean);
}

async function untilReady(url: string, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    const ok = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return true;
    await delay(100);
  }
  return false;
}
