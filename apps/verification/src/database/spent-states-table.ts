import type { MigrationStep } from "@crosszone/sql";

/** States of finished install flows, which cannot be used again. */
export interface SpentStatesTable {
  /** SHA-256 of the state, base64url. */
  digest: string;
  /** Unix milliseconds; from then on the state is expired anyway. */
  expires_at: number;
}

export const spentStatesStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("spent_state")
      .addColumn("digest", "text", (column) => column.primaryKey())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("spent_state_by_expiry").on("spent_state").column("expires_at").execute();
  },
  down: async (db) => {
    await db.schema.dropTable("spent_state").execute();
  },
};
