import fs from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { writeStatement, type Database } from "../index.ts";
import { openNotes, type NoteTables } from "../testing/note-migrations.ts";

type Done = (error: Error | null) => void;

const noteOf = (id: string) => ({ id, at: 1, text: null });
const addNote = writeStatement<"id" | "at">({
  table: "note",
  key: "id",
  columns: { id: "text", at: "bigint" },
  text: (rows) => `insert into note (id, at) select id, at from ${rows} where true`,
});
const insert = ({ db }: Pick<Database<NoteTables>, "db">, id: string) =>
  db.insertInto("note").values(noteOf(id)).execute();

/** Opens one file twice. From then on each flush of it to disk takes until the test ends it. */
async function openHeld() {
  const url = await newSqliteDatabase();
  const path = `${url.replace("sqlite:", "")}-wal`;
  const [one, other] = [await openNotes(url), await openNotes(url)];
  const { fdatasync } = fs;
  const flushes: Done[] = [];
  // Databases of earlier tests may still flush theirs.
  const isOurs = (log: number): boolean => fs.fstatSync(log).ino === fs.statSync(path).ino;
  const held = (log: number, done: Done): unknown => (isOurs(log) ? flushes.push(done) : fdatasync(log, done));
  Object.assign(fs, { fdatasync: held });
  onTestFinished(() => {
    Object.assign(fs, { fdatasync });
    for (const done of flushes) done(null);
  });
  return { one, other, flushes };
}

/** Returns which promises have ended, after everything has run that waits for no disk. */
async function ended(...ends: readonly Promise<unknown>[]): Promise<boolean[]> {
  const done = ends.map(() => false);
  for (const [index, end] of ends.entries()) void end.finally(() => (done[index] = true)).catch(() => undefined);
  for (let turns = 0; turns < 100; turns += 1) await nextTurn();
  return done;
}

test("a write ends once it is on disk; meanwhile reads go on, and later writes share the next flush", async () => {
  const { one, other, flushes } = await openHeld();
  const write = (id: string) => one.write(addNote, [{ id, at: 1 }]);
  const first = write("1");
  expect(await ended(first)).toEqual([false]);
  const later = [write("2"), one.batch([one.db.insertInto("note").values(noteOf("3")).compile()]), insert(one, "4")];
  expect(await ended(first, ...later)).toEqual([false, false, false, false]);
  expect(await other.db.selectFrom("note").select("id").execute()).toHaveLength(4);
  expect(flushes).toHaveLength(1);
  flushes.shift()?.(null);
  expect(await ended(first, ...later)).toEqual([true, false, false, false]);
  expect(flushes).toHaveLength(1);
  flushes.shift()?.(null);
  expect(await ended(...later)).toEqual([true, true, true]);
  expect(flushes).toEqual([]);
});

test("every kind of write waits for the disk, and nothing else does", async () => {
  const { one, flushes } = await openHeld();
  const writes = [
    () => insert(one, "1"),
    () => one.transaction((transaction) => transaction.insertInto("note").values(noteOf("2")).execute()),
    () => one.write(addNote, [{ id: "3", at: 1 }]),
    () => one.writeWith(addNote, [{ id: "4", at: 1 }], []),
    () => one.batch([one.db.deleteFrom("note").compile()]),
  ];
  for (const write of writes) {
    const end = write();
    expect(await ended(end)).toEqual([false]);
    flushes.shift()?.(null);
    await end;
  }
  await one.write(addNote, [{ id: "5", at: 1 }], { unflushed: true });
  await one.unflushed((db) => db.insertInto("note").values(noteOf("6")).execute());
  await one.db.selectFrom("note").selectAll().execute();
  expect(flushes).toEqual([]);
});

test("after a failed flush no write succeeds: nobody knows what the disk has", async () => {
  const { one, flushes } = await openHeld();
  const writes = [insert(one, "1"), one.write(addNote, [{ id: "2", at: 1 }])];
  await ended(...writes);
  flushes.shift()?.(new Error("EIO"));
  for (const write of [...writes, insert(one, "3")])
    await expect(write).rejects.toThrow("could not be written to disk");
  await expect(one.ping()).rejects.toThrow("could not be written to disk");
  expect(flushes).toEqual([]);
});
