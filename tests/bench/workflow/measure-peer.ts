import { setTimeout as delay } from "node:timers/promises";
import type { Databases } from "../durable/databases.ts";
import type { Side } from "../process/pinning.ts";
import type { Worker } from "../process/spawn-worker.ts";
import { quantile } from "../statistics.ts";
import { withWorkers } from "../zone/with-workers.ts";
import type { PeerOrder } from "./peer-worker.ts";
import { peers, type PeerName } from "./peers.ts";
import { concurrency, points, type Plan, type Point } from "./plan.ts";
import type { LoadWindow } from "./run-load.ts";

/** What is measured with. */
export interface Bench {
  readonly plan: Plan;
  readonly databases: Databases;
  /** Where the agents are. */
  readonly origin: string;
  readonly brokers: readonly string[] | undefined;
  readonly cpuProf: string | undefined;
}

/** Steps that ended within a time, in all processes of a peer. */
export interface StepFigures {
  readonly stepsPerSecond: number;
  /** CPU time of its processes, microseconds a step. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One peer at one point in one round. */
export interface PeerSample extends Point, StepFigures {
  readonly peer: PeerName;
  readonly round: number;
}

/** Runs of one loop, milliseconds each. */
export interface LoopSample {
  readonly peer: PeerName;
  readonly round: number;
  readonly ms: number;
}

interface ProcessPlan {
  readonly count?: number;
  readonly concurrency?: number;
  readonly side?: Side;
}

/** The processes of a peer on an empty database. */
export function withPeer<T>(
  name: PeerName,
  { databases, origin, brokers, cpuProf, ...process }: Bench & ProcessPlan,
  work: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  const { kind, engine, onKafka } = peers[name];
  const order: PeerOrder = { kind, origin, concurrency: process.concurrency ?? concurrency };
  return withWorkers(
    {
      module: "workflow/peer-worker.ts",
      count: process.count ?? 1,
      side: process.side,
      databases,
      engine,
      brokers: onKafka ? brokers : undefined,
      cpuProf: cpuProf && `${cpuProf}/${name}`,
      order,
    },
    work,
  );
}

/** Has runs under way in these processes, in all of them together, while they are looked at. */
export async function withRuns<T>(
  workers: readonly Worker[],
  { pace, runs }: Point,
  work: (look: (ms: number) => Promise<StepFigures>) => Promise<T>,
): Promise<T> {
  const share = Math.ceil(runs / workers.length);
  await Promise.all(workers.map((worker) => worker.ask("begin", { pace, runs: share }, 60_000)));
  const found = await work(async (ms) => {
    const windows = await Promise.all(workers.map((worker) => worker.ask<LoadWindow>("look", ms, ms + 60_000)));
    return figuresOf(windows, ms);
  });
  for (const worker of workers) await worker.ask("end");
  await allEnded(workers);
  return found;
}

async function allEnded(workers: readonly Worker[]): Promise<void> {
  const open = async (): Promise<number> => {
    const tallies = await Promise.all(
      workers.map((worker) => worker.ask<{ readonly begun: number; readonly ended: number }>("tally")),
    );
    return tallies.reduce((sum, { begun, ended }) => sum + begun - ended, 0);
  };
  const until = performance.now() + 60_000;
  while ((await open()) > 0) {
    if (performance.now() > until) throw new Error("runs did not end in a minute");
    await delay(20);
  }
}

function figuresOf(windows: readonly LoadWindow[], ms: number): StepFigures {
  const steps = windows.reduce((sum, one) => sum + one.steps, 0);
  const sorted = windows.flatMap(({ stepMs }) => stepMs).toSorted((a, b) => a - b);
  return {
    stepsPerSecond: steps / (ms / 1_000),
    cpuUs: windows.reduce((sum, { cpuUs }) => sum + cpuUs, 0) / steps,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  };
}

/** Measures a peer at each point after a warm-up, and the loop. Throws when one run did not end as it should. */
export function measurePeer(
  peer: PeerName,
  round: number,
  bench: Bench,
): Promise<{ readonly samples: readonly PeerSample[]; readonly loops: readonly LoopSample[] }> {
  const { warmUpMs, settleMs, windows, windowMs, aloneMs, items, loops } = bench.plan;
  return withPeer(peer, { ...bench, side: "server" }, async (workers) => {
    await withRuns(workers, { pace: "at once", runs: 64 }, (look) => look(warmUpMs));
    const samples: PeerSample[] = [];
    for (const point of points) {
      const figures = await withRuns(workers, point, async (look) => {
        await look(settleMs);
        if (point.runs === 1) return look(aloneMs);
        const found: StepFigures[] = [];
        for (let window = 0; window < windows; window++) found.push(await look(windowMs));
        return found.reduce((one, next) => (next.stepsPerSecond > one.stepsPerSecond ? next : one));
      });
      samples.push({ peer, round, ...point, ...figures });
    }
    const times: number[] = [];
    for (let loop = 0; loop < loops; loop++)
      for (const worker of workers) times.push(await worker.ask<number>("loop", items, 120_000));
    return { samples, loops: [{ peer, round, ms: Math.min(...times) }] };
  });
}
