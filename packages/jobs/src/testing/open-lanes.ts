import { type Database, openDatabase } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import {
  createJobLease,
  jobsStep,
  JobStore,
  type Entered,
  type JobTables,
  type JobSchema,
  type NewJob,
} from "../index.ts";

type LaneColumn = "note" | "uncounted";

export const laneSchema: JobSchema<LaneColumn> = {
  own: { note: "text", uncounted: "bigint" },
  ended: [],
  cleared: [],
  uncounted: "uncounted",
};

/** Opens a database with the tables of jobs in lanes. */
export function openLaneDatabase(url: string): Promise<Database<JobTables>> {
  return openDatabase<JobTables>({
    url,
    schema: "lanes",
    migrations: {
      "0001_jobs": jobsStep((table) =>
        table.addColumn("note", "text").addColumn("uncounted", "bigint", (column) => column.notNull()),
      ),
    },
  });
}

/** Stores a job of the kind `test`. */
export function addToLane(
  store: JobStore<LaneColumn>,
  job: Pick<NewJob, "id"> & { readonly lane: string } & Partial<NewJob<LaneColumn>>,
): Promise<Entered | undefined> {
  const usual = { kind: "test", share: "test", record: "{}", as: "ready" as const };
  return store.lanes.enter({ ...usual, ...job, own: { uncounted: 0, ...job.own } });
}

export type OpenLanes = Awaited<ReturnType<typeof openLanes>>;

/** A process's jobs in lanes. All ends with the test. */
export async function openLanes(url: string) {
  const database = await openLaneDatabase(url);
  const ignore = (): void => undefined;
  const lease = createJobLease({ database, leaseMs: 10_000, onLost: ignore, onReaped: ignore, failed: ignore });
  /** The shares of jobs that became heads of their lanes. */
  const promoted: string[] = [];
  const onPromoted = (shares: ReadonlySet<string>): void => void promoted.push(...shares);
  const store = new JobStore({ database, lease, schema: laneSchema, onPromoted });
  await lease.start();
  onTestFinished(async () => {
    await lease.stop();
    await database.close();
  });
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
