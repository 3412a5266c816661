import type { MigrationStep } from "@crosszone/sql";

/** Handles of running tasks. */
export interface HandlesTable {
  digest: string;
  request_id: string;
  team_id: string;
  /** A `HandleGrant`, JSON. */
  opens: string;
  reads: number;
  /** Unix milliseconds. */
  expires_at: number;
}

export const handlesStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("handle")
      .addColumn("digest", "text", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("opens", "text", (column) => column.notNull())
      .addColumn("reads", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("handle_by_request").on("handle").column("request_id").execute();
    await db.schema.createIndex("handle_by_expiry").on("handle").column("expires_at").execute();
  },
  down: async (db) => {
    await db.schema.dropTable("handle").execute();
  },
};
