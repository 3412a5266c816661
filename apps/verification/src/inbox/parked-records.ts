import { now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";

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
export function createParkedRecords({ db, engine }: Pick<VerificationDatabase, "db" | "engine">): {
  readonly list: () => Promise<readonly ParkedRecord[]>;
  /**
   * Unparks the record, with all its attempts; a worker finds it within a second or two. Resolves with false if no parked record has this
   * id.
   */
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
