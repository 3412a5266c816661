import { openDatabase, type Database } from "@crosszone/sql";
import {
  createJobTables,
  dropJobTables,
  type JobTables,
  type LaneSchema,
  type LaneStore,
  type NewJob,
} from "../index.ts";
import type { Entered } from "../index.ts";

export type LaneColumn = "note" | "uncounted";

export const laneSchema: LaneSchema<LaneColumn> = {
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
      "0001_jobs": {
        up: (db, engine) =>
          createJobTables(db, engine, (table) =>
            table.addColumn("note", "text").addColumn("uncounted", "bigint", (column) => column.notNull()),
          ),
        down: dropJobTables,
      },
    },
  });
}

/** Stores a job of the kind `test`. */
export function addToLane(
  store: Pick<LaneStore<LaneColumn>, "add">,
  job: Pick<NewJob, "id"> & { readonly lane: string } & Partial<NewJob<LaneColumn>>,
): Promise<Entered | undefined> {
  const usual = { kind: "test", share: "test", record: "{}", as: "ready" as const };
  return store.add({ ...usual, ...job, own: { uncounted: 0, ...job.own } });
}
