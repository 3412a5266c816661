import { setTimeout as delay } from "node:timers/promises";
import { readAll, type Reading, type UsageSource } from "../kit/usage.ts";
import type { Worker } from "../kit/worker.ts";
import type { Plan } from "./streams.ts";

/** CPU time of each process, microseconds a token. */
export type CpuPerToken = Readonly<Record<string, number>>;

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
  readonly reading: Reading;
  readonly tokens: number;
}

/** Reads the CPU time that the processes use for some work, which starts the streams of the plan at once. */
export async function measureCpu<Result>(
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
