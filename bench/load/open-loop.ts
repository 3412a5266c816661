import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "undici";
import type { Kind, LoadAnswer, LoadRequest } from "./kinds.ts";
import type { Tally } from "./tally.ts";

export interface OpenLoopOptions {
  /** Requests a second, sent at even distances whether or not earlier ones were answered. */
  readonly rate: number;
  readonly seconds: number;
  /** Returns the kind of the next request, and how many of its kind came before it. */
  readonly next: () => { kind: Kind; turn: number };
  readonly urls: Readonly<Record<Kind["zone"], string>>;
  readonly tally: Tally;
  /** Receives each request when it is sent; `dueAt` is on the clock of `performance.now`. */
  readonly onSend: (kind: Kind, turn: number, dueAt: number) => void;
}

const timeoutMs = 30_000;
const connections = 64;

/**
 * Sends requests at their times, and judges each answer. Latency counts from the time at which a request was due, so a server
 * (or this process) that falls behind is not spared the wait: https://github.com/giltene/wrk2#acknowledgments
 */
export async function runOpenLoop({ rate, seconds, next, urls, tally, onSend }: OpenLoopOptions): Promise<void> {
  const pools = {
    verification: new Pool(urls.verification, { connections }),
    execution: new Pool(urls.execution, { connections }),
  };
  const open = new Set<Promise<void>>();

  async function one(dueAt: number): Promise<void> {
    const { kind, turn } = next();
    onSend(kind, turn, dueAt);
    const request = kind.make(turn);
    const answer = await send(pools[kind.zone], request);
    tally.add(kind, { answer, isRight: isRight(request, answer), ms: performance.now() - dueAt });
  }

  const start = performance.now();
  for (let sent = 0; sent < rate * seconds; await wait(1)) {
    for (; sent < rate * seconds; sent++) {
      const dueAt = start + (sent * 1_000) / rate;
      if (dueAt > performance.now()) break;
      const sending = one(dueAt).finally(() => open.delete(sending));
      open.add(sending);
    }
  }
  await Promise.all(open);
  await Promise.all([pools.verification.close(), pools.execution.close()]);
}

/** Status 0 is no answer; the body then has the reason. */
async function send(pool: Pool, { method, path, headers, body }: LoadRequest): Promise<LoadAnswer> {
  try {
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const response = await pool.request({ method, path, headers, body: body ?? null, ...limits });
    return { status: response.statusCode, body: await response.body.text() };
  } catch (error) {
    return { status: 0, body: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function isRight({ judge }: LoadRequest, answer: LoadAnswer): boolean {
  try {
    return judge(answer);
  } catch {
    return false;
  }
}
