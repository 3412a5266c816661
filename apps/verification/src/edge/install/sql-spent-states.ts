import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import type { SpentStates } from "./install-state.ts";

/** Stores used states in the zone's database, shared by all processes of the zone. */
export function createSqlSpentStates({ db }: Pick<VerificationDatabase, "db">): SpentStates {
  return {
    spend: async (digest, expires_at) => {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto("spent_state")
        .values({ digest, expires_at })
        .onConflict((conflict) => conflict.column("digest").doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },
  };
}
