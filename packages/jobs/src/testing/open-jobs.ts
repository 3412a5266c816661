import { type Database, joinSteps, openDatabase } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import { createJobLease, JobStore, jobsStep, outboxStep } from "../index.ts";
import type { Entered, JobSchema, JobTables, NewJob, NewMessage } from "../index.ts";

/** Jobs with two columns of their own. */
export const testJobs: JobSchema<"note" | "score"> = {
  own: { note: "text", score: "bigint" },
  ended: ["score"],
  cleared: ["note"],
  sends: true,
};

/** A message with this text. */
export const messageOf = (text: string): NewMessage => ({
  channel: "test",
  record: "{}",
  team: null,
  value: JSON.stringify(text),
});

export type TestColumn = "note" | "score";

/** Opens a database with the tables of jobs. */
export function openJobDatabase(url: string): Promise<Database<JobTables>> {
  const step = jobsStep((table) => table.addColumn("note", "text").addColumn("score", "bigint"));
  return openDatabase<JobTables>({ url, schema: "jobs", migrations: { "0001_jobs": joinSteps(outboxStep, step) } });
}

export type OpenJobs = Awaited<ReturnType<typeof openJobs>>;

/** A process's jobs, on an open lease. All ends with the test. */
export const openJobs = async (url: string, { leaseMs = 10_000 } = {}) =>
  openStore(await openJobDatabase(url), testJobs, { leaseMs });

async function openStore<Column extends string>(
  database: Database<JobTables>,
  schema: JobSchema<Column>,
  { leaseMs = 10_000, onPromoted }: { leaseMs?: number; onPromoted?: (shares: ReadonlySet<string>) => void },
) {
  const lease = createJobLease({
    database,
    leaseMs,
    onLost: () => void (opened.lost += 1),
    onReaped: (jobs) => void (opened.reaped += jobs),
    failed: () => undefined,
  });
  const store = new JobStore({ database, lease, schema, onPromoted });
  const opened = { database, store, lease, lost: 0, reaped: 0 };
  await lease.start();
  onTestFinished(async () => {
    await lease.stop();
    await database.close();
  });
  return opened;
}

/** A job of the kind `test`. */
export function newJob(id: string, job: Partial<NewJob<TestColumn>> = {}): NewJob<TestColumn> {
  return { id, kind: "test", share: "test", record: "{}", as: "ready", ...job };
}

type LaneColumn = "note" | "uncounted";

export const laneSchema: JobSchema<LaneColumn> = {
  own: { note: "text", uncounted: "bigint" },
  ended: [],
  cleared: [],
  uncounted: "uncounted",
};

/** Opens a database with the tables of jobs in lanes. */
export function openLaneDatabase(url: string): Promise<Database<JobTables>> {
  const step = jobsStep((table) =>
    table.addColumn("note", "text").addColumn("uncounted", "bigint", (column) => column.notNull()),
  );
  return openDatabase<JobTables>({ url, schema: "lanes", migrations: { "0001_jobs": step } });
}

/** Stores a job of the kind `test`. */
export function addToLane(
  store: JobStore<LaneColumn>,
  job: { readonly id: string; readonly lane: string } & Partial<NewJob<LaneColumn>>,
): Promise<Entered | undefined> {
  const usual = { kind: "test", share: "test", record: "{}", as: "ready" as const };
  return store.lanes.enter({ ...usual, ...job, own: { uncounted: 0, ...job.own } });
}

export type OpenLanes = Awaited<ReturnType<typeof openLanes>>;

/** A process's jobs in lanes. All ends with the test. */
export async function openLanes(url: string) {
  /** The shares of jobs that became heads of their lanes. */
  const promoted: string[] = [];
  const onPromoted = (shares: ReadonlySet<string>): void => void promoted.push(...shares);
  const { database, store } = await openStore(await openLaneDatabase(url), laneSchema, { onPromoted });
  return {
    database,
    store,
    promoted,
    /** Stores a job of a lane. */
    add: (id: string, lane: string, more?: Partial<NewJob<LaneColumn>>) => addToLane(store, { id, lane, ...more }),
    /** Takes the next job. */
    take: async () => {
      const [job] = await store.take([{ share: "test", most: 1 }]);
      return job && { id: job.id, attempt: job.attempt, lane: job.lane ?? "" };
    },
  };
}
