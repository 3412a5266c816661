import { randomUUID } from "node:crypto";
import { withDatabase, type Databases, type Engine } from "./databases.ts";
import type { Side } from "./machine.ts";
import { spawnWorker, type Worker } from "./worker.ts";

/** Where a peer keeps its data. */
export interface PeerStorage {
  readonly databaseUrl: string;
  /** Undefined: agent calls are in the database alone. */
  readonly brokers: readonly string[] | undefined;
  /** Makes topics this peer's own. */
  readonly run: string;
}

/** Processes of one peer on one empty database. */
export interface ProcessesPlan {
  readonly module: string;
  readonly count?: number | undefined;
  readonly side?: Side | undefined;
  readonly databases: Databases;
  readonly engine: Engine;
  readonly brokers: readonly string[] | undefined;
  /** Folder for CPU profiles of this peer. */
  readonly cpuProf: string | undefined;
  /** What the command `start` receives, besides the storage. */
  readonly order: object;
}

/** Starts processes one after another; ends them and drops their database after the work. */
export function withProcesses<T>(plan: ProcessesPlan, work: (workers: readonly Worker[]) => Promise<T>): Promise<T> {
  const { module, count = 1, side, databases, engine, brokers, cpuProf, order } = plan;
  return withDatabase(databases, engine, async ({ url }) => {
    const workers: Worker[] = [];
    const storage: PeerStorage = { databaseUrl: url, brokers, run: randomUUID() };
    try {
      while (workers.length < count) {
        const worker = spawnWorker(module, { side, cpuProf, nodeOptions: ["--expose-gc"] });
        workers.push(worker);
        await worker.call("start", { ...storage, ...order }, 60_000);
      }
      return await work(workers);
    } finally {
      for (const worker of workers) await worker.stop();
    }
  });
}
