import { setTimeout as delay } from "node:timers/promises";

/** Delay between two attempts, milliseconds. */
const pauseMs = 20;

/** Returns the first of these addresses that answers HTTP; undefined when `signal` is aborted first. */
export async function waitUntilUp(urls: () => readonly string[], signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    for (const url of urls()) if (await answers(url, signal)) return url;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/.well-known/agent-card.json`, { signal, redirect: "manual" });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

const address = /https?:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]):(\d+)/;

/** Returns the port that a line of an agent's output says it listens on, as in `Listening on http://127.0.0.1:8090`. */
export function portIn(line: string): number | undefined {
  const found = address.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}
