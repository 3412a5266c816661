import { setTimeout as delay } from "node:timers/promises";
import { withProcesses, type Services, type Times } from "../agents/services.ts";
import { bestOf, inTurns } from "../kit/rounds.ts";
import { spreadOf, sum, type InRound } from "../kit/statistics.ts";
import type { Side, Worker } from "../kit/worker.ts";
import { paces, type Pace } from "./chains.ts";
import type { PeerOrder } from "./peer-worker.ts";
import { peers, type PeerName } from "./peers.ts";
import type { LoadWindow, Point } from "./run-load.ts";

interface Bench extends Services, Times {}

/** Steps that ended within a time, in all processes of a peer. */
interface StepFigures {
  readonly stepsPerSecond: number;
  /** CPU time of its processes, microseconds a step. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One peer with agents of one pace in one round. */
export interface PeerSample extends InRound, StepFigures {
  readonly peer: PeerName;
  readonly pace: Pace;
}

/** One process or two of a peer on one database, with the same runs in progress in all together. */
interface ScaleSample extends InRound, StepFigures {
  readonly peer: PeerName;
  readonly executors: 1 | 2;
}

export interface WorkflowFigures {
  readonly samples: readonly PeerSample[];
  readonly scaling: readonly ScaleSample[];
}

/** Runs in progress in all processes of a peer together. */
export const runs = 64;

/** How many agents one process calls at once: the zone's default, and so few that a second process calls more. */
const usual = 100;
export const few = 8;

interface Processes extends Bench {
  readonly count?: number;
  readonly side?: Side;
  readonly concurrency?: number;
}

/** The processes of a peer on an empty database. */
function withPeer<T>(
  name: PeerName,
  { databases, origin, brokers, count, side, concurrency = usual }: Processes,
  work: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  const { kind, engine, onKafka } = peers[name];
  const order: PeerOrder = { kind, origin, concurrency };
  const bus = { brokers: onKafka ? brokers : undefined };
  return withProcesses({ module: "workflow/peer-worker.ts", databases, count, side, ...bus, engine, order }, work);
}

/** Keeps runs in progress in these processes, in all of them together, while they are measured. */
async function withRuns<T>(
  workers: readonly Worker[],
  { pace, runs: all }: Point,
  work: (measure: (ms: number) => Promise<StepFigures>) => Promise<T>,
): Promise<T> {
  const share = Math.ceil(all / workers.length);
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

/** Measures a peer at each pace after a warm-up. Throws when one run did not end as it should. */
export function measurePeer(peer: PeerName, round: number, bench: Bench): Promise<PeerSample[]> {
  const { warmUpMs, windows, windowMs } = bench;
  return withPeer(peer, { ...bench, side: "server" }, async (workers) => {
    await withRuns(workers, { pace: "at once", runs }, (measure) => measure(warmUpMs));
    const samples: PeerSample[] = [];
    for (const pace of paces) {
      const figures = await withRuns(workers, { pace, runs }, async (measure) => {
        await measure(windowMs / 2);
        return bestOf(
          windows,
          () => measure(windowMs),
          ({ stepsPerSecond }) => stepsPerSecond,
        );
      });
      samples.push({ peer, round, pace, ...figures });
    }
    return samples;
  });
}

/** One process and two, in alternation, so that the rest of the machine affects both alike. No process has its own core. */
export async function measureScaling(peer: PeerName, round: number, bench: Bench): Promise<ScaleSample[]> {
  const { warmUpMs, windows, windowMs } = bench;
  const found: ScaleSample[] = [];
  for (const executors of inTurns([1, 2] as const, round)) {
    const figures = await withPeer(peer, { ...bench, count: executors, concurrency: few }, (workers) =>
      withRuns(workers, { pace: "in 20 ms", runs }, async (measure) => {
        await measure(warmUpMs);
        return measure(windows * windowMs);
      }),
    );
    found.push({ peer, executors, round, ...figures });
  }
  return found;
}
