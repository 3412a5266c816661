// suite: rest
// @module-tag judge
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { onFreshDatabases, newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { DatabaseUnavailableError, type Migrations, NewerDatabaseError } from "./index.ts";
import { takeSchema } from "./migrate.ts";
import { listTables } from "./testing/migrations.contract.ts";
import { noteMigrations, openNotes } from "./testing/note-migrations.ts";

const program = fileURLToPath(new URL("./testing/open-notes-program.ts", import.meta.url));

function startProgram(...args: readonly string[]): ChildProcess {
  const started = spawn(process.execPath, ["--conditions=@crosszone/source", program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void started.kill("SIGKILL"));
  return started;
}

onFreshDatabases("migrations", (newDatabase, engine) => {
  test("of many processes that start on an empty database, one migrates, the others wait, then all work", async () => {
    const url = await newDatabase();
    const names = Array.from({ length: 8 }, (_, index) => `process ${index}`);
    const ends = await Promise.all(names.map((name) => once(startProgram(url, name), "exit")));
    expect(ends).toEqual(names.map(() => [0, null]));
    const { db } = await openNotes(url);
    const notes = await db.selectFrom("note").select("id").orderBy("id").execute();
    expect(notes.map(({ id }) => id)).toEqual(names);
  });

  test("a process that is killed during a step leaves no partial change, and a waiting process continues", async () => {
    const url = await newDatabase();
    const standing = startProgram(url, "never", "stand");
    await once(standing.stdout as NodeJS.ReadableStream, "data");
    const waiting = openNotes(url);
    standing.kill("SIGKILL");
    const { db } = await waiting;
    expect(await db.selectFrom("note").selectAll().execute()).toEqual([]);
    expect(await listTables((await waiting) as never)).not.toContain("half");
  });

  test("a failed step leaves no partial change, and runs again after it was fixed", async () => {
    const url = await newDatabase();
    const withStep = (run: () => Promise<void>): Migrations => ({
      ...noteMigrations,
      "0002_more": {
        up: async (db) => {
          await db.schema.createTable("more").addColumn("id", "text").execute();
          await run();
        },
        down: (db) => db.schema.dropTable("more").execute(),
      },
    });
    const failing = withStep(() => Promise.reject(new Error("no such luck")));
    await expect(openNotes(url, { migrations: failing })).rejects.toThrow("no such luck");
    const { db } = await openNotes(url, { migrations: withStep(async () => undefined) });
    expect((await sql`select * from more`.execute(db)).rows).toEqual([]);
  });

  test("a database that a newer program changed is refused with advice, and stays unchanged", async () => {
    const url = await newDatabase();
    const step: Migrations[string] = { up: async () => undefined, down: async () => undefined };
    await openNotes(url, { migrations: { ...noteMigrations, "0002_later": step } });
    for (const migrations of [noteMigrations, { ...noteMigrations, "0002_other": step }, {}]) {
      const refused = openNotes(url, { migrations });
      await expect(refused).rejects.toBeInstanceOf(NewerDatabaseError);
      await expect(refused).rejects.toThrow(/0002_later.*Use that version or a later one/);
    }
  });

  test("a database of a build before the first release is refused in a sentence that says what to delete", async () => {
    const url = await newDatabase();
    const early: Migrations = { "0001_tasks": { up: async () => undefined, down: async () => undefined } };
    await openNotes(url, { migrations: early });
    const holder =
      engine === "sqlite"
        ? `the folder ${dirname(url.slice("sqlite:".length))}`
        : /the schema "notes" of PostgreSQL at .*, database ".*",/;
    const refused = await openNotes(url).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseUnavailableError);
    expect((refused as Error).message).toMatch(holder);
    expect((refused as Error).message).toMatch(
      /^A build before the first release made this database, and no version can read it: delete .* and start again\.$/,
    );
    await openNotes(url, { migrations: early });
  });

  test("without pending steps, nothing is locked and no right to create tables is needed", async () => {
    const url = await newDatabase();
    const { db, transaction } = await openNotes(url);
    await transaction(async (tx) => {
      await tx.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
      await (await openNotes(url)).close();
    });
    if (engine === "sqlite") return;
    const role = `reader_${crypto.randomUUID().replaceAll("-", "")}`;
    await sql.raw(`create role ${role} login password 'x'; grant usage on schema notes to ${role}`).execute(db);
    onTestFinished(() =>
      sql
        .raw(`drop owned by ${role}; drop role ${role}`)
        .execute(db)
        .then(() => undefined),
    );
    await sql.raw(`grant select, insert on all tables in schema notes to ${role}`).execute(db);
    const asReader = await openNotes(Object.assign(new URL(url), { username: role, password: "x" }).href);
    await asReader.db.insertInto("note").values({ id: "2", at: 1, text: null }).execute();
    await asReader.close();
    const stranger = `stranger_${role}`;
    await sql.raw(`create role ${stranger} login password 'x'`).execute(db);
    onTestFinished(() =>
      sql
        .raw(`drop role ${stranger}`)
        .execute(db)
        .then(() => undefined),
    );
    const refused = openNotes(Object.assign(new URL(url), { username: stranger, password: "x" }).href);
    await expect(refused).rejects.toThrow(
      /cannot be used: the database refuses the zone.s user a right \(permission denied.*Grant the user the right/,
    );
  });
});

test("a connection that loses its schema is refused, before both zones' tables mix", async () => {
  const database = await openNotes(await newPostgresDatabase());
  await expect(database.transaction((transaction) => takeSchema(transaction as never, "elsewhere"))).rejects.toThrow(
    /uses the schema "notes", not "elsewhere".*ignore_startup_parameters = options/,
  );
  const { rows } = await sql`select 1 from pg_namespace where nspname = 'elsewhere'`.execute(database.db);
  expect(rows).toEqual([]);
});
