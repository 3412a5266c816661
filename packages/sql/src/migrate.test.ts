// suite: both
import { existsSync } from "node:fs";
import { onFreshDatabases } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, onTestFinished } from "vitest";
import {
  type Migrations,
  tablesStep,
  type MigrationStep,
  NewerDatabaseError,
  inspectDatabase,
  openDatabase,
} from "./index.ts";
import { isAdditive } from "./migrate.ts";
import { migrationsContract, describeTables, findBreaking } from "./testing/migrations.contract.ts";
import { openNotes, noteMigrations } from "./testing/note-migrations.ts";

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

onFreshDatabases("a schema change for older builds", (newDatabase, engine) => {
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

const addLabel: MigrationStep = {
  up: (db) => db.schema.alterTable("note").addColumn("label", "text").execute(),
  down: (db) => db.schema.alterTable("note").dropColumn("label").execute(),
};
const newer: Migrations = { ...noteMigrations, "0002_add_label": addLabel };

test.each([
  ["0002_add_label", true],
  ["0002_address", false],
  ["0002_drop_add_label", false],
  ["add_label", false],
])("the name %s: an additive step is %s", (name, additive) => {
  expect(isAdditive(name)).toBe(additive);
});

onFreshDatabases("additive steps", (newDatabase) => {
  test("the build before an addition opens the database and writes to it, and the newer one continues", async () => {
    const url = await newDatabase();
    const upgraded = await openNotes(url, { migrations: newer });
    await upgraded.close();
    const older = await openNotes(url);
    await older.db.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
    await older.close();
    const again = await openNotes(url, { migrations: newer });
    expect(await again.db.selectFrom("note").selectAll().execute()).toEqual([
      { id: "1", at: 1, text: null, label: null },
    ]);
  });

  test("a build with a pending step of its own is refused, and so is one that must know every table", async () => {
    const url = await newDatabase();
    const upgraded = await openNotes(url, { migrations: newer });
    await upgraded.close();
    const other = { ...noteMigrations, "0002_other": addLabel };
    await expect(openNotes(url, { migrations: other })).rejects.toThrow(/0002_add_label/);
    const exact = openNotes(url, { exact: true });
    await expect(exact).rejects.toBeInstanceOf(NewerDatabaseError);
    await expect(exact).rejects.toThrow(/Use that version or a later one/);
  });

  test("a step that did more than add is refused, and only that step is named", async () => {
    const url = await newDatabase();
    const later = await openNotes(url, {
      migrations: { ...newer, "0003_later": { up: async () => undefined, down: async () => undefined } },
    });
    await later.close();
    await expect(openNotes(url)).rejects.toThrow(/database \(0003_later\)/);
  });
});

const step = (table: string): MigrationStep =>
  tablesStep([table], (db) => db.schema.createTable(table).addColumn("id", "text").execute());
const first: Migrations = { "0001_one": step("one") };
const both: Migrations = { ...first, "0002_two": step("two") };

onFreshDatabases("an inspection", (newDatabase, engine) => {
  test("returns the version, the clock and the steps, and changes nothing", async () => {
    const url = await newDatabase();
    const look = (those: Migrations) => inspectDatabase({ url, schema: "notes", migrations: those });
    const before = await look(first);
    const nothingDone: unknown = expect.objectContaining({ done: 0, pending: ["0001_one"], unknown: [], tls: false });
    expect(before).toEqual(engine === "sqlite" ? undefined : nothingDone);
    expect(existsSync(url.slice("sqlite:".length))).toBe(false);
    const database = await openDatabase({ url, schema: "notes", migrations: first });
    onTestFinished(() => database.close());
    expect(await look(both)).toMatchObject({ done: 1, pending: ["0002_two"], unknown: [] });
    expect(await look({ "0002_two": step("two") })).toMatchObject({ pending: ["0002_two"], unknown: ["0001_one"] });
    expect(await look(both)).toMatchObject({ added: [] });
    const added = await openDatabase({ url, schema: "notes", migrations: { ...first, "0002_add_two": step("two") } });
    await added.close();
    expect(await look(first)).toMatchObject({ done: 1, pending: [], added: ["0002_add_two"], unknown: [] });
    expect(await look(both)).toMatchObject({ pending: ["0002_two"], added: [], unknown: ["0002_add_two"] });
    const found = await look(first);
    expect(found).toMatchObject({ done: 1, pending: [], unknown: [], tooOld: false });
    expect(found?.version).toMatch(engine === "sqlite" ? /^SQLite 3\.\d/ : /^PostgreSQL \d+\.\d/);
    expect(Math.abs(found?.clockAheadMs ?? 0)).toBeLessThan(60_000);
  });
});

test("returns an unreachable server as an error with its code", async () => {
  const url = "postgres://me:secret@127.0.0.1:9/x";
  await expect(inspectDatabase({ url, schema: "notes", migrations: first })).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
});
