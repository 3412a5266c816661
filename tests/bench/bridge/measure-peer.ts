import type { Databases } from "../durable/databases.ts";
import type { Worker } from "../process/spawn-worker.ts";
import { withWorkers, type WorkersPlan } from "../zone/with-workers.ts";
import type { PeerOrder } from "./peer-worker.ts";
import { buses, type Subject } from "./peers.ts";
import { points, type Plan, type Point } from "./plan.ts";
import type { LoadOrder, LoadResult } from "./task-load.ts";

/** What is measured with. */
export interface Bench {
  readonly plan: Plan;
  readonly databases: Databases;
  readonly agents: Worker;
  readonly origin: string;
  readonly brokers: readonly string[] | undefined;
  readonly cpuProf: string | undefined;
}

/** One peer at one point in one round. */
export interface PeerSample extends Subject, Point, LoadResult {
  readonly round: number;
}

/** A peer in a process of its own on an empty database. */
export function withPeer<T>(
  { peer, bus }: Subject,
  { databases, origin, brokers, cpuProf }: Bench,
  work: (worker: Worker) => Promise<T>,
): Promise<T> {
  const { engine } = buses[bus];
  const plan: WorkersPlan = {
    module: "bridge/peer-worker.ts",
    side: "server",
    databases,
    engine,
    brokers: bus === "kafka" ? brokers : undefined,
    cpuProf: cpuProf && `${cpuProf}/${bus}-${peer}`,
    order: { peer, origin } satisfies PeerOrder,
  };
  return withWorkers(plan, ([worker]) => work(worker as Worker));
}

/** Measures a peer at each point after a warm-up. Throws when one result of all was wrong. */
export function measurePeer(subject: Subject, round: number, bench: Bench): Promise<PeerSample[]> {
  const { warmUpMs, settleMs, windows, windowMs } = bench.plan;
  return withPeer(subject, bench, async (worker) => {
    const samples: PeerSample[] = [];
    // One at a time is not faster with a longer queue, and would be at it for long after each window.
    const mostInFlight = subject.peer === "serial" ? 10 : Infinity;
    await runLoad(worker, { agents: "at once", inFlight: Math.min(200, mostInFlight), ms: warmUpMs });
    for (const point of points) {
      const order = { agents: point.agents, inFlight: Math.min(point.inFlight, mostInFlight) };
      await runLoad(worker, { ...order, ms: settleMs });
      const results: LoadResult[] = [];
      for (let window = 0; window < windows; window++) results.push(await runLoad(worker, { ...order, ms: windowMs }));
      const best = results.reduce((one, next) => (next.tasksPerSecond > one.tasksPerSecond ? next : one));
      samples.push({ ...subject, ...point, round, ...best });
    }
    return samples;
  });
}

export function runLoad(worker: Worker, order: LoadOrder): Promise<LoadResult> {
  return worker.ask<LoadResult>("run", order, order.ms + 120_000);
}
