import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "../kit/benchmark.ts";
import { spreadOf } from "../kit/statistics.ts";
import { readAll, usageOfWorker, type Reading as UsageReading, type UsageSource } from "../kit/usage.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import { tokensPerSecond, type Plan, type StreamOrder } from "./streams.ts";
import type { ReadStream, Reading } from "./reader-worker.ts";
import type { SlackOutcome } from "./slack-worker.ts";
import { startSystem, type StreamSystem } from "./start-system.ts";

export type StreamFigures = Awaited<ReturnType<typeof measureStreams>>;

interface Bench {
  readonly plan: Plan;
  readonly source: Worker;
  readonly reader: Worker;
}

let nextStream = 0;

/** New streams, each with its own number in the whole run. */
function ordersOf({ streams, seconds }: Plan): readonly StreamOrder[] {
  const tokens = seconds * tokensPerSecond;
  return Array.from({ length: streams }, () => ({ n: (nextStream += 1), tokens }));
}

/** Measures all peers, one after the other. */
export async function measureStreams(plan: Plan, progress: Progress) {
  const source = spawnWorker("stream/source-worker.ts");
  const bench: Bench = { plan, source, reader: spawnWorker("stream/reader-worker.ts") };
  const url = await source.call<string>("listen");
  progress("relay, ");
  const relay = await measureRelay(bench, url);
  const system = await startSystem(url);
  progress("agent to Slack, ");
  const agent = await measureSlack(bench, system);
  progress("assistant to Slack, ");
  const assistant = await measureSlack(bench, system, "assistant");
  progress("link\n");
  const link = await measureLink(bench, system);
  const errors = system.errors();
  await system.stop();
  await Promise.all([source.stop(), bench.reader.stop()]);
  return {
    cpu: { relay: relay.cpu, agent: agent.cpu, assistant: assistant.cpu },
    slack: { agent: agent.outcome, assistant: assistant.outcome },
    /** From the source's first token to the reader's, milliseconds. */
    first: { relay: relay.first, link: link.first },
    /** Streams that were read right, without Slack. */
    right: { relay: relay.right, link: link.right },
    errors: errors.slice(0, 5),
  };
}

/** The longest wait after the last stream should have ended, milliseconds. */
const drainMs = 75_000;

const timeoutOf = ({ streams, everyMs, seconds }: Plan): number => streams * everyMs + seconds * 1_000 + drainMs;

async function measureRelay({ plan, source, reader }: Bench, url: string) {
  const hops = [spawnWorker("stream/relay-worker.ts"), spawnWorker("stream/relay-worker.ts")] as const;
  const far = await hops[1].call<string>("listen", await hops[0].call<string>("listen", url));
  const usage = [usageOfWorker("first hop", hops[0]), usageOfWorker("second hop", hops[1])];
  const reading: Reading = { url: far, token: "", orders: ordersOf(plan), everyMs: plan.everyMs };
  const { cpu, result } = await measureCpu({ plan, source, usage }, () =>
    reader.call<ReadStream[]>("relay", reading, timeoutOf(plan)),
  );
  await Promise.all(hops.map((hop) => hop.stop()));
  return { cpu, ...(await readOf(source, result)) };
}

async function measureSlack({ plan, source }: Bench, { slack, usage }: StreamSystem, agent?: string) {
  const orders = ordersOf(plan);
  const { cpu, result } = await measureCpu({ plan, source, usage }, async () => {
    const until = performance.now() + timeoutOf(plan);
    await slack.call("ask", { orders, everyMs: plan.everyMs, agent }, timeoutOf(plan));
    await delay(plan.seconds * 1_000);
    let outcome = await slack.call<SlackOutcome>("outcome");
    while (outcome.done < orders.length && performance.now() < until) {
      await delay(500);
      outcome = await slack.call<SlackOutcome>("outcome");
    }
    return outcome;
  });
  return { cpu, outcome: result };
}

async function measureLink({ plan, source, reader }: Bench, { execution }: StreamSystem) {
  const reading: Reading = { ...execution, orders: ordersOf(plan), everyMs: plan.everyMs };
  return readOf(source, await reader.call<ReadStream[]>("tasks", reading, timeoutOf(plan)));
}

/** How long the first token took, and how many streams were read right. */
async function readOf(source: Worker, read: readonly ReadStream[]) {
  const sentAt = await source.call<Record<number, number>>("firstTokens");
  const took = read.flatMap(({ n, firstAt }) => (firstAt === undefined ? [] : [firstAt - (sentAt[n] ?? Number.NaN)]));
  return { first: spreadOf(took), right: read.filter(({ right }) => right).length };
}

/** CPU time of each process, microseconds a token. */
type CpuPerToken = Readonly<Record<string, number>>;

export interface Cpu {
  /** While all streams send, without their beginning and their end. */
  readonly steady: CpuPerToken;
  /** From the first question to the last answer. */
  readonly whole: CpuPerToken;
}

/** From the last question until its stream sends as all others do, milliseconds. */
const leadMs = 1_500;

interface Measured {
  readonly plan: Plan;
  /** Counts its tokens. */
  readonly source: Worker;
  readonly usage: readonly UsageSource[];
}

interface Moment {
  readonly reading: UsageReading;
  readonly tokens: number;
}

/** Reads the CPU time that the processes use for some work, which starts the streams of the plan at once. */
async function measureCpu<Result>(
  { plan, source, usage }: Measured,
  work: () => Promise<Result>,
): Promise<{ readonly cpu: Cpu; readonly result: Result }> {
  const now = async (): Promise<Moment> => {
    const [reading, tokens] = await Promise.all([readAll(usage), source.call<number>("tokens")]);
    return { reading, tokens };
  };
  const before = await now();
  const working = work();
  const startMs = plan.streams * plan.everyMs + leadMs;
  await delay(startMs);
  const from = await now();
  await delay(Math.max(0, plan.seconds * 1_000 - startMs));
  const to = await now();
  const result = await working;
  return { cpu: { steady: perToken(from, to), whole: perToken(before, await now()) }, result };
}

function perToken(from: Moment, to: Moment): CpuPerToken {
  const each = [...to.reading].map(([name, { cpu }]) => {
    const seconds = cpu - (from.reading.get(name)?.cpu ?? Number.NaN);
    return [name, (seconds * 1e6) / (to.tokens - from.tokens)] as const;
  });
  return Object.fromEntries(each);
}
