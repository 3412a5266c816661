import { openDatabase, type Database } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import { createJobLease, JobStore, jobsStep } from "../index.ts";
import type { JobSchema, JobTables, NewJob } from "../index.ts";

/** Jobs with two columns of their own. */
export const testJobs: JobSchema<"note" | "score"> = {
  own: { note: "text", score: "bigint" },
  ended: ["score"],
  cleared: ["note"],
};

export type TestColumn = "note" | "score";

/** Opens a database with the tables of jobs. */
export function openJobDatabase(url: string): Promise<Database<JobTables>> {
  return openDatabase<JobTables>({
    url,
    schema: "jobs",
    migrations: {
      "0001_jobs": jobsStep((table) => table.addColumn("note", "text").addColumn("score", "bigint")),
    },
  });
}

export type OpenJobs = Awaited<ReturnType<typeof openJobs>>;

/** A process's jobs, on an open lease. All ends with the test. */
export async function openJobs(url: string, { leaseMs = 10_000 } = {}) {
  const database = await openJobDatabase(url);
  const lease = createJobLease({
    database,
    leaseMs,
    onLost: () => void (opened.lost += 1),
    onReaped: (jobs) => void (opened.reaped += jobs),
    failed: () => undefined,
  });
  const store = new JobStore({ database, lease, schema: testJobs });
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
