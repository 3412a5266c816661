import { jobStates } from "@crosszone/jobs";
import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";

/** The size of the inbox. */
export interface InboxLoad {
  /** Records that wait for a worker. */
  readonly waiting: number;
  readonly inWork: number;
  /** Records that failed too often and need an operator. */
  readonly parked: number;
  /** Age of the oldest record that is not parked, milliseconds; 0 if there is none. */
  readonly oldestMs: number;
}

/** Reads the size of the inbox, in one statement. It scans the whole inbox, so call it only when metrics are scraped. */
export async function readLoad({ db, engine }: Pick<VerificationDatabase, "db" | "engine">): Promise<InboxLoad> {
  const rows = await db
    .selectFrom("job")
    .select((row) => [
      "state",
      row.fn.countAll<number>().as("count"),
      sql<number>`${now(engine)} - min(created_at)`.as("ageMs"),
    ])
    .groupBy("state")
    .execute();
  const of = (state: (typeof rows)[number]["state"]) => rows.find((row) => row.state === state);
  const { ready, leased, behind, parked } = jobStates;
  const open = [ready, behind, leased].map(of);
  return {
    waiting: (of(ready)?.count ?? 0) + (of(behind)?.count ?? 0),
    inWork: of(leased)?.count ?? 0,
    parked: of(parked)?.count ?? 0,
    oldestMs: Math.max(0, ...open.map((row) => row?.ageMs ?? 0)),
  };
}
