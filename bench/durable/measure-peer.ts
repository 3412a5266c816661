import { withDatabase, type BenchDatabase, type Databases } from "../kit/databases.ts";
import { bestOf } from "../kit/rounds.ts";
import { spawnWorker, type Worker, type WorkerPlan } from "../kit/worker.ts";
import type { LoadResult, Until } from "../requests/closed-loop.ts";
import type { LoadOrder } from "../requests/load-worker.ts";
import type { SizeName } from "../requests/messages.ts";
import { runLoad, runMeasuredLoad } from "../requests/run-load.ts";
import type { Footprint, PeerServerPlan } from "./peer-worker.ts";
import { peers, points, requestOf, type Plan, type Point, type Subject } from "./plan.ts";

/** One server in one mode, one point, one round. */
export interface DurableSample extends Subject, Point {
  readonly round: number;
  readonly requestsPerSecond: number;
  /** CPU time of the server's process, microseconds a request, without that of PostgreSQL. */
  readonly cpuUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** What a measurement needs. */
export interface Bench {
  readonly plan: Plan;
  readonly load: Worker;
  readonly databases: Databases;
  readonly cpuProf: string | undefined;
}

const dayMs = 86_400_000;

/** Starts a server for some work, in a fresh process on an empty database. `start` starts another process on the same database. */
export function withServer<T>(
  subject: Subject & { readonly retentionMs?: number },
  { databases, cpuProf }: Pick<Bench, "databases"> & WorkerPlan,
  work: (server: {
    readonly worker: Worker;
    readonly database: BenchDatabase;
    readonly start: () => Worker;
  }) => Promise<T>,
): Promise<T> {
  return withDatabase(databases, peers[subject.peer].engine, async (database) => {
    const workers: Worker[] = [];
    const start = (): Worker => {
      const plan: PeerServerPlan = { retentionMs: dayMs, ...subject, url: database.url };
      const worker = spawnWorker("durable/peer-worker.ts", { args: [JSON.stringify(plan)], side: "server", cpuProf });
      workers.push(worker);
      return worker;
    };
    try {
      return await work({ worker: start(), database, start });
    } finally {
      for (const worker of workers) await worker.stop();
    }
  });
}

/** The load waits asleep: the database needs the core too. */
export const orderOf = (subject: Subject, size: SizeName, until: Until): LoadOrder => ({
  ...requestOf(subject),
  spins: false,
  size,
  until,
});

/** Puts requests of 300 B on a server. Throws when one answer of all was wrong. */
export const runSmall = (load: Worker, subject: Subject, until: Until): Promise<LoadResult> =>
  runLoad(load, subject.peer, orderOf(subject, "300 B", until));

/** Measures a server at each point after a warm-up. */
export function measurePeer(subject: Subject, round: number, bench: Bench): Promise<DurableSample[]> {
  const { plan, load, databases } = bench;
  const cpuProf = bench.cpuProf && `${bench.cpuProf}/${subject.peer}-${subject.mode}`;
  return withServer(subject, { databases, cpuProf }, async ({ worker }) => {
    const samples: DurableSample[] = [];
    const url = await worker.call<string>("listen");
    await load.call("open", { url, connections: 10 });
    await runSmall(load, subject, plan.warmUp);
    await load.call("close");
    for (const { size, connections } of points) {
      await load.call("open", { url, connections });
      await runLoad(load, subject.peer, orderOf(subject, size, { ms: plan.drainMs }));
      const window = orderOf(subject, size, { ms: plan.windowMs });
      const { busy: _busy, ...best } = await bestOf(
        plan.windows,
        () => runMeasuredLoad(load, { name: subject.peer, worker }, window),
        ({ requestsPerSecond }) => requestsPerSecond,
      );
      samples.push({ ...subject, round, size, connections, ...best });
      await load.call("close");
    }
    return samples;
  });
}

/** What a server's process used after a part of a long load. */
export interface SoakReading extends Footprint, Pick<Subject, "peer"> {
  readonly second: number;
  readonly requests: number;
}

const soakParts = 8;

/** Keeps a server under the load of 100 connections, while it forgets tasks, and reads its footprint after each eighth. */
export function soak(subject: Subject, seconds: number, { load, databases }: Bench): Promise<SoakReading[]> {
  return withServer({ ...subject, retentionMs: 10_000 }, { databases }, async ({ worker }) => {
    const readings: SoakReading[] = [];
    await load.call("open", { url: await worker.call<string>("listen"), connections: 100 });
    await worker.call("footprint");
    for (let part = 1; part <= soakParts; part++) {
      const { requests } = await runSmall(load, subject, { ms: (seconds * 1_000) / soakParts });
      const footprint = await worker.call<Footprint>("footprint");
      readings.push({ peer: subject.peer, second: (seconds * part) / soakParts, requests, ...footprint });
    }
    await load.call("close");
    return readings;
  });
}
