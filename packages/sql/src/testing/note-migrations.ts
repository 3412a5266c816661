import type { Migrations } from "../migrate.ts";

/** The tables of this package's own tests. */
export const noteMigrations: Migrations = {
  "0001_notes": {
    up: async (db) => {
      await db.schema
        .createTable("note")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("text", "text")
        .execute();
    },
    down: async (db) => {
      await db.schema.dropTable("note").execute();
    },
  },
};
