import type { Database } from "@crosszone/sql";
import { onTestFinished } from "vitest";
import {
  createJobLease,
  createLaneStore,
  type Entered,
  type JobTables,
  type LaneStore,
  type NewJob,
} from "../index.ts";
import { addToLane, laneSchema, openLaneDatabase, type LaneColumn } from "./lane-database.ts";

export interface OpenLanes {
  readonly database: Database<JobTables>;
  readonly store: LaneStore<LaneColumn>;
  /** Stores a job of a lane. */
  readonly add: (id: string, lane: string, more?: Partial<NewJob<LaneColumn>>) => Promise<Entered | undefined>;
  /** Takes the next job. */
  readonly take: () => Promise<{ readonly id: string; readonly attempt: number; readonly lane: string } | undefined>;
  /** The shares of jobs that became heads of their lanes. */
  readonly promoted: string[];
}

/** A process's jobs in lanes. All ends with the test. */
export async function openLanes(url: string): Promise<OpenLanes> {
  const database = await openLaneDatabase(url);
  const ignore = (): void => undefined;
  const lease = createJobLease({ database, leaseMs: 10_000, onLost: ignore, onReaped: ignore, onFailure: ignore });
  const promoted: string[] = [];
  const onPromoted = (shares: ReadonlySet<string>): void => void promoted.push(...shares);
  const store = createLaneStore({ database, lease, schema: laneSchema, onPromoted });
  await lease.start();
  onTestFinished(async () => {
    await lease.stop();
    await database.close();
  });
  return {
    database,
    store,
    promoted,
    add: (id, lane, more) => addToLane(store, { id, lane, ...more }),
    take: async () => {
      const [job] = await store.take([{ share: "test", most: 1 }]);
      return job && { id: job.id, attempt: job.attempt, lane: job.lane ?? "" };
    },
  };
}
