import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { InboxLoad } from "./inbox.ts";

/** Reads the size of the inbox, in one statement. It scans the whole inbox, so call it only when metrics are scraped. */
export async function readLoad({ db, engine }: Pick<VerificationDatabase, "db" | "engine">): Promise<InboxLoad> {
  const rows = await db
    .selectFrom("inbox")
    .select((row) => [
      "state",
      row.fn.countAll<number>().as("count"),
      sql<number>`${now(engine)} - min(accepted_at)`.as("ageMs"),
    ])
    .groupBy("state")
    .execute();
  const of = (state: (typeof rows)[number]["state"]) => rows.find((row) => row.state === state);
  const [waiting, inWork, parked] = [of("waiting"), of("in_work"), of("parked")];
  return {
    waiting: waiting?.count ?? 0,
    inWork: inWork?.count ?? 0,
    parked: parked?.count ?? 0,
    oldestMs: Math.max(0, waiting?.ageMs ?? 0, inWork?.ageMs ?? 0),
  };
}
