import { migrationsContract } from "../testing/migrations.contract.ts";
import type { Migrations } from "../index.ts";

const migrations: Migrations = {
  "0001_notes": {
    up: async (db, engine) => {
      await db.schema
        .createTable("note")
        .addColumn("id", engine === "sqlite" ? "integer" : "bigserial", (column) => column.primaryKey())
        .addColumn("text", "text", (column) => column.notNull())
        .execute();
    },
    down: async (db) => {
      await db.schema.dropTable("note").execute();
    },
  },
  "0002_add_note_by_text": {
    up: async (db) => {
      await db.schema.createIndex("note_by_text").on("note").column("text").execute();
      await db.schema.alterTable("note").addColumn("at", "bigint").execute();
    },
    down: async (db) => {
      await db.schema.alterTable("note").dropColumn("at").execute();
      await db.schema.dropIndex("note_by_text").execute();
    },
  },
};

migrationsContract(migrations);
