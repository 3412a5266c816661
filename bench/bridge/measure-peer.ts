import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../agents/services.ts";
import { withProcesses } from "../kit/peer-processes.ts";
import { bestOf } from "../kit/rounds.ts";
import type { Worker } from "../kit/worker.ts";
import type { PeerOrder } from "./peer-worker.ts";
import { buses, points, type BusName, type Plan, type Point, type Subject } from "./plan.ts";
import type { LoadOrder, LoadResult } from "./task-load.ts";

/** What a measurement needs. */
export interface Bench extends Services {
  readonly plan: Plan;
  readonly cpuProf: string | undefined;
}

/** One peer at one point in one round. */
export interface PeerSample extends Subject, Point, LoadResult {
  readonly round: number;
}

/** A peer in its own process on an empty database. */
export function withPeer<T>(
  { peer, bus }: Subject,
  { databases, origin, brokers, cpuProf }: Bench,
  work: (worker: Worker) => Promise<T>,
): Promise<T> {
  const plan = {
    module: "bridge/peer-worker.ts",
    side: "server",
    databases,
    engine: buses[bus].engine,
    brokers: bus === "kafka" ? brokers : undefined,
    cpuProf: cpuProf && `${cpuProf}/${bus}-${peer}`,
    order: { peer, origin } satisfies PeerOrder,
  } as const;
  return withProcesses(plan, ([worker]) => work(worker as Worker));
}

export const runLoad = (worker: Worker, order: LoadOrder): Promise<LoadResult> =>
  worker.call<LoadResult>("run", order, order.ms + 120_000);

/** Measures a peer at each point after a warm-up. Throws when one result of all was wrong. */
export function measurePeer(subject: Subject, round: number, bench: Bench): Promise<PeerSample[]> {
  const { warmUpMs, drainMs, windows, windowMs } = bench.plan;
  return withPeer(subject, bench, async (worker) => {
    const samples: PeerSample[] = [];
    // One at a time is not faster with a longer queue, and would work on it for long after each window.
    const mostInFlight = subject.peer === "serial" ? 10 : Infinity;
    await runLoad(worker, { agents: "at once", inFlight: Math.min(200, mostInFlight), ms: warmUpMs });
    for (const point of points) {
      const order = { agents: point.agents, inFlight: Math.min(point.inFlight, mostInFlight) };
      await runLoad(worker, { ...order, ms: drainMs });
      const best = await bestOf(
        windows,
        () => runLoad(worker, { ...order, ms: windowMs }),
        ({ tasksPerSecond }) => tasksPerSecond,
      );
      samples.push({ ...subject, ...point, round, ...best });
    }
    return samples;
  });
}

/** What a process is while many tasks wait in it for agents that do not answer. */
export interface Backlog {
  readonly bus: BusName;
  readonly tasks: number;
  /** Bytes, before and with the tasks. */
  readonly rssBefore: number;
  readonly rssWith: number;
  /** Another agent's tasks, one at a time. */
  readonly before: LoadResult;
  readonly meanwhile: LoadResult;
  /** Waiting tasks that ended in a second, once the agents answered. */
  readonly drainedPerSecond: number;
}

const drainMs = 3_000;

/** Gives the bridge tasks for agents that do not answer; measures its process, other agents, and the recovery. */
export function measureBacklog(bus: BusName, bench: Bench): Promise<Backlog> {
  const { warmUpMs, windowMs, backlog: tasks } = bench.plan;
  const one = { agents: "at once", inFlight: 1, ms: 2 * windowMs } as const;
  return withPeer({ peer: "bridge", bus }, bench, async (worker) => {
    await bench.agents.call("hold");
    await runLoad(worker, { ...one, inFlight: 200, ms: warmUpMs });
    const before = await runLoad(worker, one);
    const rssBefore = await worker.call<number>("memory");
    await worker.call("pile", tasks, 600_000);
    await worker.call("received", undefined, 600_000);
    const rssWith = await worker.call<number>("memory");
    const meanwhile = await runLoad(worker, one);
    const already = await worker.call<number>("results");
    await bench.agents.call("release");
    await delay(drainMs);
    const drained = (await worker.call<number>("results")) - already;
    await worker.kill();
    return { bus, tasks, rssBefore, rssWith, before, meanwhile, drainedPerSecond: drained / (drainMs / 1_000) };
  });
}
