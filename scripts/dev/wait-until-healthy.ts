import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "./environment.ts";

/** Asks each service for `/healthz` until all answer; false when one does not within `timeoutMs`. */
export async function waitUntilHealthy(services: readonly Service[], timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  const answers = await Promise.all(services.map(({ url }) => untilHealthy(`${url}/healthz`, deadline)));
  return answers.every(Boolean);
}

async function untilHealthy(url: string, deadline: number): Promise<boolean> {
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
