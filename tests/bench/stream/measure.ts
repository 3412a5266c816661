import { setTimeout as delay } from "node:timers/promises";
import { readAll, watchWorker, type Watched } from "../load-run/watch.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import { median, quantile } from "../statistics.ts";
import { measureCpu, type Cpu } from "./measure-cpu.ts";
import type { Plan } from "./options.ts";
import type { ReadStream, Reading } from "./reader-worker.ts";
import type { SlackOutcome } from "./slack-worker.ts";
import { startZones, type Zones } from "./start-zones.ts";
import { tokensPerSecond, type StreamOrder } from "./token-text.ts";

/** From the source's first token to the reader's, milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

export interface StreamFigures {
  readonly cpu: { readonly relay: Cpu; readonly agent: Cpu; readonly assistant: Cpu };
  readonly slack: { readonly agent: SlackOutcome; readonly assistant: SlackOutcome };
  readonly first: { readonly relay: Latency; readonly link: Latency };
  /** Streams that were read right, without Slack. */
  readonly right: { readonly relay: number; readonly link: number };
  /** RSS of execution, MB, each second of a run: all readers read, and some stand still. */
  readonly rss: { readonly reading: readonly number[]; readonly stalled: readonly number[] };
  /** Readers that stood still to the end. */
  readonly standing: number;
  readonly errors: readonly string[];
}

let nextStream = 0;

/** New streams, each with a number of its own in the whole run. */
function ordersOf({ streams, seconds }: Plan, wide = false): readonly StreamOrder[] {
  const tokens = seconds * tokensPerSecond;
  return Array.from({ length: streams }, () => ({ n: (nextStream += 1), tokens, wide }));
}

/** Runs all peers, one after the other. */
export async function measureStreams(
  { plan, cpuProf }: { readonly plan: Plan; readonly cpuProf: string | undefined },
  progress: (text: string) => void,
): Promise<StreamFigures> {
  const source = spawnWorker("stream/source-worker.ts", []);
  const reader = spawnWorker("stream/reader-worker.ts", []);
  const url = await source.ask<string>("listen");
  progress("relay, ");
  const relay = await measureRelay(plan, { source, reader, url });
  const zones = await startZones(url, cpuProf);
  const asked = { source, reader, zones };
  progress("agent to Slack, ");
  const agent = await measureSlack(plan, asked);
  progress("assistant to Slack, ");
  const assistant = await measureSlack(plan, asked, "assistant");
  progress("link, ");
  const link = await measureLink(plan, asked, { wide: false, stand: false });
  progress("stalled readers\n");
  const few = { ...plan, streams: plan.stalled };
  const reading = await measureLink(few, asked, { wide: true, stand: false });
  const stalled = await measureLink(few, asked, { wide: true, stand: true });
  const errors = zones.errors();
  await zones.stop();
  await Promise.all([source.stop(), reader.stop()]);
  return {
    cpu: { relay: relay.cpu, agent: agent.cpu, assistant: assistant.cpu },
    slack: { agent: agent.outcome, assistant: assistant.outcome },
    first: { relay: relay.first, link: link.first },
    right: { relay: relay.right, link: link.right },
    rss: { reading: reading.rss, stalled: stalled.rss },
    standing: stalled.standing,
    errors: errors.slice(0, 5),
  };
}

/** Waits at the most so long after the last stream should have ended, milliseconds. */
const settleMs = 75_000;

const longestMs = ({ streams, everyMs, seconds }: Plan): number => streams * everyMs + seconds * 1_000 + settleMs;

interface Asked {
  readonly source: Worker;
  readonly reader: Worker;
  readonly zones: Zones;
}

interface Beside {
  readonly source: Worker;
  readonly reader: Worker;
  readonly url: string;
}

async function measureRelay(plan: Plan, { source, reader, url }: Beside) {
  const hops = [spawnWorker("stream/relay-worker.ts", []), spawnWorker("stream/relay-worker.ts", [])] as const;
  const far = await hops[1].ask<string>("listen", await hops[0].ask<string>("listen", url));
  const watched = [watchWorker("first hop", hops[0]), watchWorker("second hop", hops[1])];
  const reading: Reading = { url: far, token: "", orders: ordersOf(plan), everyMs: plan.everyMs };
  const { cpu, result } = await measureCpu({ plan, source, watched }, () =>
    reader.ask<ReadStream[]>("relay", reading, longestMs(plan)),
  );
  await Promise.all(hops.map((hop) => hop.stop()));
  return { cpu, first: await latencyOf(source, result), right: result.filter(({ right }) => right).length };
}

async function measureSlack(plan: Plan, { source, zones: { slack, watched } }: Asked, agent?: string) {
  const orders = ordersOf(plan);
  const { cpu, result } = await measureCpu({ plan, source, watched }, async () => {
    const until = performance.now() + longestMs(plan);
    await slack.ask("ask", { orders, everyMs: plan.everyMs, agent }, longestMs(plan));
    await delay(plan.seconds * 1_000);
    let outcome = await slack.ask<SlackOutcome>("outcome");
    while (outcome.done < orders.length && performance.now() < until) {
      await delay(500);
      outcome = await slack.ask<SlackOutcome>("outcome");
    }
    return outcome;
  });
  return { cpu, outcome: result };
}

async function measureLink(
  plan: Plan,
  { source, reader, zones }: Asked,
  { wide, stand }: { readonly wide: boolean; readonly stand: boolean },
) {
  const orders = ordersOf(plan, wide);
  const reading: Reading = { ...zones.execution, orders, everyMs: plan.everyMs };
  const over = new AbortController();
  const watching = watchRss(zones.watched, over.signal);
  const read = await reader.ask<ReadStream[]>(stand ? "stall" : "tasks", reading, longestMs(plan));
  if (stand) await delay(plan.seconds * 1_000);
  const standing = await reader.ask<number>("standing");
  over.abort();
  const first = await latencyOf(source, read);
  return { first, right: read.filter(({ right }) => right).length, rss: await watching, standing };
}

async function watchRss(watched: readonly Watched[], signal: AbortSignal): Promise<readonly number[]> {
  const megabytes: number[] = [];
  while (!signal.aborted) {
    const usage = await readAll(watched);
    megabytes.push((usage.get("execution")?.rss ?? Number.NaN) / 1_048_576);
    await delay(1_000, undefined, { signal }).catch(() => undefined);
  }
  return megabytes;
}

async function latencyOf(source: Worker, read: readonly ReadStream[]): Promise<Latency> {
  const sentAt = await source.ask<Record<number, number>>("firstTokens");
  const took = read.flatMap(({ n, firstAt }) => (firstAt === undefined ? [] : [firstAt - (sentAt[n] ?? Number.NaN)]));
  return {
    p50: median(took),
    p99: quantile(
      took.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}
