import { existsSync } from "node:fs";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { inspectDatabase, openDatabase, type Migrations } from "../index.ts";

const step = (table: string): Migrations[string] => ({
  up: async (db) => {
    await db.schema.createTable(table).addColumn("id", "text").execute();
  },
  down: async (db) => {
    await db.schema.dropTable(table).execute();
  },
});
const first: Migrations = { "0001_one": step("one") };
const both: Migrations = { ...first, "0002_two": step("two") };

contractOnBothEngines("an inspection", (newDatabase, engine) => {
  test("returns the version, the clock and the steps, and changes nothing", async () => {
    const url = await newDatabase();
    const look = (migrations: Migrations) => inspectDatabase({ url, schema: "notes", migrations });
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
