import { JobStore, jobStates } from "@crosszone/jobs";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { inboxJobs } from "./record-rows.ts";

/** A record that failed too often, without its content. */
export interface ParkedRecord {
  readonly request_id: string;
  readonly team_id: string;
  /** Age, milliseconds. */
  readonly age_ms: number;
  readonly attempts: number;
  readonly why: string;
}

/** Maximum number of listed records; further ones appear once these are gone. */
const mostListed = 1_000;

/** Makes the operators' functions for parked records. */
export function createParkedRecords(database: VerificationDatabase): {
  readonly list: () => Promise<readonly ParkedRecord[]>;
  /**
   * Unparks the record, with all its attempts; a worker finds it within a second or two. Resolves with false if no parked record has this
   * id.
   */
  readonly retry: (requestId: string) => Promise<boolean>;
} {
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
