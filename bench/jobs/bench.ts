import type { JobTables } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import { withDatabase, type Databases } from "../kit/databases.ts";
import type { Progress } from "../kit/rounds.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import { createJobTable, openJobDatabase, type JobTable } from "./job-table.ts";
import type { Drained, DrainOrder } from "./jobs-worker.ts";
import type { Engine, Plan, SubjectName } from "./plan.ts";

/** What a measurement needs. */
export interface Bench {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly databases: Databases;
  readonly cpuProf: string | undefined;
  readonly progress: Progress;
}

/** An empty table of jobs in its own database. */
export interface OpenTable {
  readonly url: string;
  readonly table: JobTable;
  readonly database: Database<JobTables>;
}

/** Opens an empty table for some work, and drops it afterwards. */
export const withTable = <T>(
  { databases, engine }: Pick<Bench, "databases" | "engine">,
  work: (open: OpenTable) => Promise<T>,
): Promise<T> =>
  withDatabase(databases, engine, async ({ url }) => {
    const database = await openJobDatabase(url);
    try {
      return await work({ url, table: createJobTable(database), database });
    } finally {
      await database.close();
    }
  });

/** Starts a process for some work. */
export async function withProcess<T>(
  { engine, cpuProf }: Pick<Bench, "engine" | "cpuProf">,
  [subject, url]: readonly [SubjectName, string],
  work: (worker: Worker) => Promise<T>,
): Promise<T> {
  const worker = spawnWorker("jobs/jobs-worker.ts", { args: [subject, engine, url], cpuProf });
  try {
    return await work(worker);
  } finally {
    await worker.stop();
  }
}

/** The timeout of a command of a process, milliseconds. */
export const timeoutMs = 600_000;

export const drain = (worker: Worker, order: DrainOrder): Promise<Drained> =>
  worker.call<Drained>("drain", order, timeoutMs);
