import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../agents/services.ts";
import type { Side } from "../kit/machine.ts";
import { withProcesses } from "../kit/peer-processes.ts";
import { bestOf, inTurns } from "../kit/rounds.ts";
import { spreadOf, sum } from "../kit/statistics.ts";
import type { Worker } from "../kit/worker.ts";
import type { PeerOrder } from "./peer-worker.ts";
import {
  concurrency as usual,
  peers,
  points,
  scalePoints,
  type PeerName,
  type Plan,
  type Point,
  type ScalePoint,
} from "./plan.ts";
import type { LoadWindow } from "./run-load.ts";

/** What a measurement needs. */
export interface Bench extends Services {
  readonly plan: Plan;
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

interface InRound {
  readonly peer: PeerName;
  readonly round: number;
}

/** One peer at one point in one round. */
export interface PeerSample extends InRound, Point, StepFigures {}

/** The fastest run of the loop, milliseconds. */
export interface LoopSample extends InRound {
  readonly ms: number;
}

/** One process or two of a peer on one database, with the same runs in progress in all together. The round is the turn. */
export interface ScaleSample extends InRound, Pick<ScalePoint, "pace">, StepFigures {
  readonly executors: 1 | 2;
}

interface ProcessPlan {
  readonly count?: number;
  readonly concurrency?: number;
  readonly side?: Side;
}

/** The processes of a peer on an empty database. */
function withPeer<T>(
  name: PeerName,
  { databases, origin, brokers, cpuProf, count, side, concurrency = usual }: Bench & ProcessPlan,
  work: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  const { kind, engine, onKafka } = peers[name];
  const order: PeerOrder = { kind, origin, concurrency };
  const onBus = { brokers: onKafka ? brokers : undefined, cpuProf: cpuProf && `${cpuProf}/${name}` };
  return withProcesses({ module: "workflow/peer-worker.ts", databases, count, side, ...onBus, engine, order }, work);
}

/** Keeps runs in progress in these processes, in all of them together, while they are measured. */
async function withRuns<T>(
  workers: readonly Worker[],
  { pace, runs }: Point,
  work: (measure: (ms: number) => Promise<StepFigures>) => Promise<T>,
): Promise<T> {
  const share = Math.ceil(runs / workers.length);
  await Promise.all(workers.map((worker) => worker.call("begin", { pace, runs: share }, 60_000)));
  const found = await work(async (ms) => {
    const measure = (worker: Worker) => worker.call<LoadWindow>("measure", ms, ms + 60_000);
    return figuresOf(await Promise.all(workers.map(measure)), ms);
  });
  for (const worker of workers) await worker.call("end");
  await untilAllEnded(workers);
  return found;
}

async function untilAllEnded(workers: readonly Worker[]): Promise<void> {
  const open = async (): Promise<number> => {
    const tally = (worker: Worker) => worker.call<{ readonly begun: number; readonly ended: number }>("tally");
    return sum((await Promise.all(workers.map(tally))).map(({ begun, ended }) => begun - ended));
  };
  const until = performance.now() + 60_000;
  while ((await open()) > 0) {
    if (performance.now() > until) throw new Error("runs did not end in a minute");
    await delay(20);
  }
}

function figuresOf(windows: readonly LoadWindow[], ms: number): StepFigures {
  const steps = sum(windows.map((window) => window.steps));
  const { p50, p99 } = spreadOf(windows.flatMap(({ stepMs }) => stepMs));
  const cpuUs = sum(windows.map((window) => window.cpuUs)) / steps;
  return { stepsPerSecond: steps / (ms / 1_000), cpuUs, p50Ms: p50, p99Ms: p99 };
}

export type PeerFound = { readonly samples: readonly PeerSample[]; readonly loop: LoopSample };

/** Measures a peer at each point after a warm-up, and the loop. Throws when one run did not end as it should. */
export function measurePeer(peer: PeerName, round: number, bench: Bench): Promise<PeerFound> {
  const { warmUpMs, drainMs, windows, windowMs, aloneMs, items, loops } = bench.plan;
  return withPeer(peer, { ...bench, side: "server" }, async (workers) => {
    await withRuns(workers, { pace: "at once", runs: 64 }, (measure) => measure(warmUpMs));
    const samples: PeerSample[] = [];
    for (const point of points) {
      const figures = await withRuns(workers, point, async (measure) => {
        await measure(drainMs);
        if (point.runs === 1) return measure(aloneMs);
        const window = (): Promise<StepFigures> => measure(windowMs);
        return bestOf(windows, window, ({ stepsPerSecond }) => stepsPerSecond);
      });
      samples.push({ peer, round, ...point, ...figures });
    }
    const [worker] = workers as [Worker];
    const ms = -(await bestOf(
      loops,
      async () => -(await worker.call<number>("loop", items, 120_000)),
      (time) => time,
    ));
    return { samples, loop: { peer, round, ms } };
  });
}

/** One process and two, in alternation, so that the rest of the machine affects both alike. No process has its own core. */
export async function measureScaling(peer: PeerName, bench: Bench): Promise<ScaleSample[]> {
  // Without a limit of calls, one process calls as many agents as there are calls.
  const own = scalePoints.filter(({ isBound }) => !isBound || peers[peer].kind === "crosszone");
  const { turns, warmUpMs, windows, windowMs } = bench.plan;
  const found: ScaleSample[] = [];
  for (let round = 0; round < turns; round++)
    for (const executors of inTurns([1, 2] as const, round))
      for (const { pace, concurrency } of own) {
        const figures = await withPeer(peer, { ...bench, count: executors, concurrency }, (workers) =>
          withRuns(workers, { pace, runs: 64 }, async (measure) => {
            await measure(warmUpMs);
            return measure(windows * windowMs);
          }),
        );
        found.push({ peer, executors, pace, round, ...figures });
      }
  return found;
}
