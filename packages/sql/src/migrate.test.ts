// suite: both
import { existsSync } from "node:fs";
import { onFreshDatabases } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, onTestFinished } from "vitest";
import {
  createDatabaseCheck,
  type Migrations,
  sqlStep,
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

/** The note's table as a later build makes it, in the same step. */
const edited: Migrations = {
  "0001_notes": {
    ...sqlStep(`
      create table note (id text primary key, at bigint not null, text text, label text not null, count bigint default 1 not null);
      create index note_by_at on note (at, id);
      create table tag (id text primary key, note text);
      create unique index tag_once on tag (note)`),
    mend: ["update note set label = 'of ' || id where label = ''"],
  },
};

onFreshDatabases("O13: steps that were edited after they were applied", (newDatabase) => {
  const run = (db: Awaited<ReturnType<typeof openNotes>>["db"], ...texts: readonly string[]) =>
    texts.reduce((last, text) => last.then(() => sql.raw(text).execute(db)), Promise.resolve<unknown>(undefined));
  const inspect = (url: string, those: Migrations) => inspectDatabase({ url, schema: "notes", migrations: those });

  test("O13: a database of a build that stored no digests gets what it lacks, filled, and keeps its rows", async () => {
    const url = await newDatabase();
    const older = await openNotes(url);
    const left = "insert into kysely_migration (name, timestamp) values ('0002_add_tag', '2026')";
    await run(older.db, "create index note_by_at on note (at)", "insert into note values ('1', 7, null)", left);
    await run(older.db, "alter table kysely_migration drop column digest");
    await older.close();
    expect(await inspect(url, edited)).toMatchObject({ done: 0, pending: ["0001_notes"], unknown: [], changed: [] });
    const database = await openNotes(url, { migrations: edited });
    const { rows } = await sql`select * from note`.execute(database.db);
    expect(rows).toEqual([{ id: "1", at: 7, text: null, label: "of 1", count: 1 }]);
    await run(database.db, "insert into tag values ('1', 'x')");
    await expect(run(database.db, "insert into tag values ('2', 'x')")).rejects.toThrow(/unique/i);
    const lines = await describeTables(database as never, "notes");
    expect(lines.filter((line) => /note_by_at/.test(line)).join()).toMatch(/\(at, id\)/);
    expect(await database.problem()).toBeUndefined();
    const known = { done: 1, pending: [], added: [], unknown: [], changed: [], missing: [] };
    expect(await inspect(url, edited)).toMatchObject(known);
    await openNotes(url, { migrations: edited });
  });

  test("O13: tables of another form of a step are refused, and are no reason to be ready", async () => {
    const url = await newDatabase();
    const database = await openNotes(url);
    const says = "the database was made by another form of 0001_notes than this version has";
    await expect(openNotes(url, { migrations: edited })).rejects.toThrow(
      `T${says.slice(1)}. Use the version that made it, or restore a backup. Never change an applied step: add a step.`,
    );
    expect(await inspect(url, edited)).toMatchObject({ pending: [], changed: ["0001_notes"] });
    await run(database.db, "update kysely_migration set digest = 'x'");
    expect(await database.problem()).toBe(says);
  });

  test("O13: a database that lost a column or a table is refused, and a running zone says so once", async () => {
    const url = await newDatabase();
    const database = await openNotes(url);
    const said: string[] = [];
    const check = createDatabaseCheck(database, (what) => void said.push(what));
    expect(await check()).toBeUndefined();
    await run(database.db, "alter table note drop column text");
    const says = "the database lacks note.text, which this version needs";
    for (const found of [await check(), await check()]) expect(found).toBe(says);
    expect(said).toEqual([says]);
    await expect(openNotes(url)).rejects.toThrow(`T${says.slice(1)}. It was restored in part, or changed by hand`);
    expect(await inspect(url, noteMigrations)).toMatchObject({ missing: ["note.text"] });
    await run(database.db, "drop table note");
    expect(await check()).toBe("the database lacks note, which this version needs");
    expect(await inspect(url, noteMigrations)).toMatchObject({ missing: ["note"] });
    await run(database.db, "delete from kysely_migration");
    expect(await check()).toBe("the database lacks 0001_notes, which this version needs");
    await run(database.db, "drop table kysely_migration");
    expect(await check()).toBe("the database lacks 0001_notes, which this version needs");
  });
});
