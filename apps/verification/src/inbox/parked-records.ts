import { JobStore, jobStates } from "@crosszone/jobs";
import type { ZoneData } from "@crosszone/ops/data";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { inboxJobs } from "./record-rows.ts";

/** Maximum number of listed records; further ones appear once these are gone. */
const mostListed = 1_000;

/** Makes the operators' functions for parked records, which they see without content. A worker finds an unparked one within a second or two. */
export function createParkedRecords(database: VerificationDatabase): NonNullable<ZoneData["parked"]> {
  const { db, engine } = database;
  // It leases no job.
  const lease = { owner: "an operator" };
  const { lanes } = new JobStore({ database, lease, schema: inboxJobs });
  return {
    list: () =>
      db
        .selectFrom("job")
        .select((row) => [
          "id as request_id",
          row.fn.coalesce("team", sql<string>`''`).as("team_id"),
          sql<number>`${now(engine)} - created_at`.as("age_ms"),
          row("attempt", "-", row.ref("uncounted")).as("attempts"),
          row.fn.coalesce("parked_because", sql<string>`''`).as("why"),
        ])
        .where("state", "=", jobStates.parked)
        .orderBy("sequence")
        .limit(mostListed)
        .execute(),
    retry: (requestId) => lanes.unpark(requestId),
  };
}
