import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";

/** A record that failed too often, without what it says. */
export interface ParkedRecord {
  readonly request_id: string;
  readonly team_id: string;
  /** Since it came, milliseconds. */
  readonly age_ms: number;
  readonly attempts: number;
  readonly why: string;
}

/** More are shown once these are gone. */
const mostListed = 1_000;

/** What operators do about parked records. */
export function createParkedRecords({ db, engine }: Pick<VerificationDatabase, "db" | "engine">): {
  readonly list: () => Promise<readonly ParkedRecord[]>;
  /** It waits again, with all of its tries; whoever works on the inbox finds it within a second or two. False when none is parked by this id. */
  readonly retry: (requestId: string) => Promise<boolean>;
} {
  return {
    list: () =>
      db
        .selectFrom("inbox")
        .select((row) => [
          "request_id",
          "team_id",
          sql<number>`${now(engine)} - accepted_at`.as("age_ms"),
          row("attempt", "-", row.ref("uncounted")).as("attempts"),
          row.fn.coalesce("parked_because", sql<string>`''`).as("why"),
        ])
        .where("state", "=", "parked")
        .orderBy("sequence")
        .limit(mostListed)
        .execute(),
    retry: async (requestId) => {
      const { numUpdatedRows } = await db
        .updateTable("inbox")
        .set((row) => ({
          state: "waiting",
          due_at: now(engine),
          uncounted: row.ref("attempt"),
          parked_at: null,
          parked_because: null,
        }))
        .where("request_id", "=", requestId)
        .where("state", "=", "parked")
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}
