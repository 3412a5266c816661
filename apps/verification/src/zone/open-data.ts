import { auditData } from "@crosszone/audit";
import { jobStates, JobStore } from "@crosszone/jobs";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/ops/data";
import type { Environment } from "@crosszone/service-kit";
import { createOwnedData, now } from "@crosszone/sql";
import { sql } from "kysely";
import { openVerificationDatabase, type VerificationDatabase } from "../database.ts";
import { inboxJobs } from "../inbox/record-rows.ts";
import { verificationTables } from "./tables.ts";

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

/** Opens this zone's data for the data commands, using the zone's own configuration variables. */
export async function openVerificationData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "verification");
  const database = await openVerificationDatabase({ url, ...commandDatabase });
  return {
    zone: "verification",
    at,
    ...auditData(createOwnedData(database, { tables: verificationTables, sealer: vault }), "verification", database),
    parked: createParkedRecords(database),
    close: () => database.close(),
  };
}
