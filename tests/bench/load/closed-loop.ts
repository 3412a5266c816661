import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { quantile } from "../statistics.ts";
import { goOn, type Until } from "../until.ts";
import type { HttpAnswer, RequestTemplate } from "./http-exchange.ts";
import { keepBusy } from "./keep-busy.ts";

export interface LoadResult {
  requests: number;
  seconds: number;
  p50Us: number;
  p99Us: number;
  /** Answers that were not 200, or had another id or another text; and the first of them. */
  wrong: number;
  firstWrong: string | undefined;
}

export async function openSockets(url: URL, connections: number): Promise<Socket[]> {
  const address = { host: url.hostname, port: Number(url.port), noDelay: true };
  const sockets = Array.from({ length: connections }, () => connect(address));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

/** How the load is put on a server. */
export interface LoadStyle {
  /** What every right answer has in its text. */
  expects: string;
  /** Whether the load keeps its core busy while it waits: where nothing else needs that core, the server need not wake it up. */
  spins: boolean;
}

/**
 * Keeps all sockets busy at the same time and looks at every answer. On bare sockets, because the load must cost less than
 * the fastest server, and because every request needs an id of its own.
 */
export async function runClosedLoop(
  sockets: readonly Socket[],
  template: RequestTemplate,
  { until, expects, spins }: LoadStyle & { until: Until },
): Promise<LoadResult> {
  const latencies: number[] = [];
  const wrong: string[] = [];
  const more = goOn(until);
  const onAnswer = ({ status, body }: HttpAnswer, id: string, ms: number): boolean => {
    latencies.push(ms);
    const right = status === 200 && body.includes(id) && body.includes(expects);
    if (!right) wrong.push(`${status} ${body.slice(0, 500)}`);
    return more(latencies.length);
  };
  const startedAt = performance.now();
  const stopSpinning = spins ? spin() : () => undefined;
  await Promise.all(sockets.map((socket) => keepBusy(socket, template, onAnswer))).finally(stopSpinning);
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(latencies).toSorted();
  return {
    requests: latencies.length,
    seconds,
    p50Us: quantile(sorted, 0.5) * 1_000,
    p99Us: quantile(sorted, 0.99) * 1_000,
    wrong: wrong.length,
    firstWrong: wrong[0],
  };
}

/** Keeps this process from sleeping: a server would pay for waking it up, and a slow one more often than a fast one. */
function spin(): () => void {
  let going = true;
  const again = (): void => {
    if (going) setImmediate(again);
  };
  again();
  return () => {
    going = false;
  };
}
