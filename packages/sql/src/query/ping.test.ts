import { statSync } from "node:fs";
import { contractOnBothEngines, newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkWritable } from "./ping.ts";
import { openNotes } from "../testing/note-migrations.ts";

contractOnBothEngines("checking that a database is writable", (newDatabase) => {
  test("a successful check changes no data", async () => {
    const database = await openNotes(await newDatabase());
    const locks = () => sql`select * from kysely_migration_lock`.execute(database.db);
    const { rows: before } = await locks();
    expect(before).toHaveLength(1);
    await Promise.all([checkWritable(database), checkWritable(database)]);
    expect((await locks()).rows).toEqual(before);
  });

  test("a database that answers reads but refuses writes is not writable until it accepts them again", async () => {
    const database = await openNotes(await newDatabase(), { connections: 1 });
    const { db, engine, ping } = database;
    const refuse = (on: boolean) =>
      sql
        .raw(engine === "sqlite" ? `pragma query_only = ${on}` : `set default_transaction_read_only = ${on}`)
        .execute(db);
    await refuse(true);
    await ping();
    await expect(checkWritable(database)).rejects.toThrow(/read-?only/);
    await refuse(false);
    expect(await checkWritable(database)).toBeUndefined();
  });
});

test("each check of SQLite writes to its log", async () => {
  const url = await newSqliteDatabase();
  const database = await openNotes(url);
  const logSize = () => statSync(`${url.slice("sqlite:".length)}-wal`).size;
  const before = logSize();
  for (let checks = 0; checks < 3; checks += 1) await checkWritable(database);
  expect(logSize()).toBeGreaterThan(before);
});

test("a full disk is reported with advice", async () => {
  const database = await openNotes("sqlite::memory:");
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const broken = { ...database, unflushed: () => Promise.reject(full) };
  expect(await checkWritable(broken)).toBe("the database's disk is full: free up space");
});
