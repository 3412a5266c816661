import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrationsContract, describeTables, findBreaking } from "../testing/migrations.contract.ts";
import { type Migrations, tablesStep } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

const migrations: Migrations = {
  "0001_notes": tablesStep(["note"], async (db, engine) => {
    await db.schema
      .createTable("note")
      .addColumn("id", engine === "sqlite" ? "integer" : "bigserial", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .execute();
  }),
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

const harmless = [
  "alter table note add column label text",
  "alter table note add column count bigint not null default 0",
  "create index note_by_at on note (at)",
  "create table label (id text primary key, note text not null unique)",
];
const breaking = [
  "alter table note drop column text",
  "alter table note rename column text to words",
  "alter table note rename to paper",
  "create unique index note_once on note (at)",
  "drop table note",
];
const onlyPostgres = [
  "alter table note add column label text not null",
  "alter table note add constraint short check (length(text) < 9)",
  "alter table note alter column at type text",
  "alter table note alter column text set not null",
];

onBothEngines("a schema change for older builds", (newDatabase, engine) => {
  const found = async (statement: string): Promise<readonly string[]> => {
    const database = (await openNotes(await newDatabase())) as never as Parameters<typeof describeTables>[0];
    const before = await describeTables(database, "notes");
    await sql.raw(statement).execute(database.db);
    return findBreaking(before, await describeTables(database, "notes"));
  };

  test.each(harmless)("%s", async (statement) => {
    expect(await found(statement)).toEqual([]);
  });

  test.each([...breaking, ...(engine === "postgres" ? onlyPostgres : [])])("is breaking: %s", async (statement) => {
    expect(await found(statement)).not.toEqual([]);
  });
});
