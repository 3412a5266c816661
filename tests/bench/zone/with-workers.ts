import { randomUUID } from "node:crypto";
import type { Databases } from "../durable/databases.ts";
import type { Peer } from "../durable/peers.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import type { Side } from "../process/pinning.ts";
import type { ZonePlan } from "./open-zone.ts";

/** Processes of one peer, on an empty database of their own. */
export interface WorkersPlan {
  readonly module: string;
  /** How many; they share the database. */
  readonly count?: number;
  readonly side: Side | undefined;
  readonly databases: Databases;
  readonly engine: Peer["engine"];
  readonly brokers: readonly string[] | undefined;
  /** Folder for CPU profiles of this peer. */
  readonly cpuProf: string | undefined;
  /** What the command `start` is told beside where the zone is. */
  readonly order: object;
}

/** Starts processes one after another, and ends them and their database after the work. */
export async function withWorkers<T>(
  { module, count = 1, side, databases, engine, brokers, cpuProf, order }: WorkersPlan,
  work: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  const database = await databases.create(engine);
  const profile = cpuProf === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${cpuProf}`];
  const nodeOptions = ["--expose-gc", ...profile];
  const workers: Worker[] = [];
  const plan: ZonePlan = { databaseUrl: database.url, brokers, run: randomUUID() };
  try {
    for (let started = 0; started < count; started++) {
      const worker = spawnWorker(module, [], { ...(side && { side }), nodeOptions });
      workers.push(worker);
      await worker.ask("start", { ...plan, ...order }, 60_000);
    }
    return await work(workers);
  } finally {
    for (const worker of workers) await worker.stop();
    await database.drop();
  }
}
