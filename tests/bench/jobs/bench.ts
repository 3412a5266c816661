import type { Databases } from "../durable/databases.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import type { Database } from "@crosszone/sql";
import type { JobTables } from "@crosszone/jobs";
import { createJobTable, openJobDatabase, type JobTable } from "./job-table.ts";
import { subjects, type Engine, type Plan, type SubjectName } from "./plan.ts";

/** What is measured with. */
export interface Bench {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly databases: Databases;
  readonly cpuProf: string | undefined;
  readonly progress: (text: string) => void;
}

/** An empty table of jobs in a database of its own. */
export interface OpenTable {
  readonly url: string;
  readonly table: JobTable;
  readonly database: Database<JobTables>;
}

/** Opens an empty table for some work, and drops it afterwards. */
export async function withTable<T>(
  { databases, engine }: Pick<Bench, "databases" | "engine">,
  work: (open: OpenTable) => Promise<T>,
): Promise<T> {
  const { url, drop } = await databases.create(engine);
  const database = await openJobDatabase(url);
  try {
    return await work({ url, table: createJobTable(database), database });
  } finally {
    await database.close();
    await drop();
  }
}

/** Starts a process for some work. */
export async function withProcess<T>(
  { engine, cpuProf }: Pick<Bench, "engine" | "cpuProf">,
  [subject, url]: readonly [SubjectName, string],
  work: (worker: Worker) => Promise<T>,
): Promise<T> {
  const nodeOptions = cpuProf === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${cpuProf}`];
  const worker = spawnWorker("jobs/jobs-worker.ts", [subject, engine, url], { nodeOptions });
  try {
    return await work(worker);
  } finally {
    await worker.stop();
  }
}

/** The subjects in the order of a round, backwards every second round. */
export const inTurns = (round: number): readonly SubjectName[] => (round % 2 === 0 ? subjects : subjects.toReversed());

/** The longest that a command of a process may take, milliseconds. */
export const patienceMs = 600_000;
