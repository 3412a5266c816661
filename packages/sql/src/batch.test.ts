// suite: both
import { onBothEngines, newPostgresDatabase, testOnPostgres } from "@crosszone/testkit/postgres";
import { CompiledQuery, sql } from "kysely";
import { Connection } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "./index.ts";
import { prepare } from "./query/write-statement.ts";
import { openNotes, type NoteTables } from "./testing/note-migrations.ts";

const note = (id: string, at = 1) => ({ id, at, text: null });
const insert = ({ db }: Database<NoteTables>, id: string) => db.insertInto("note").values(note(id)).compile();
const idsOf = async ({ db }: Database<NoteTables>): Promise<readonly string[]> =>
  (await db.selectFrom("note").select("id").orderBy("id").execute()).map(({ id }) => id);

onBothEngines("a batch", (newDatabase) => {
  test("returns the result of each statement, and each sees the effects of the ones before it", async () => {
    const database = await openNotes(await newDatabase());
    const { db, batch } = database;
    const [inserted, returned, updated, all, none] = await batch([
      insert(database, "a"),
      db
        .insertInto("note")
        .values([note("b", 2 ** 40), note("c")])
        .returning(["id", "at"])
        .compile(),
      db.updateTable("note").set({ text: "x" }).where("at", "=", 1).compile(),
      db.selectFrom("note").select(["id", "text"]).orderBy("id").compile(),
      db.selectFrom("note").select("at").where("id", "=", "d").compile(),
    ]);
    expect([inserted.numAffectedRows, updated.numAffectedRows]).toEqual([1n, 2n]);
    expect(returned.rows).toEqual([
      { id: "b", at: 2 ** 40 },
      { id: "c", at: 1 },
    ]);
    expect(all.rows).toEqual([
      { id: "a", text: "x" },
      { id: "b", text: null },
      { id: "c", text: "x" },
    ]);
    expect(none.rows).toEqual([]);
    expect(await batch([])).toEqual([]);
  });

  test("if a batch fails, it is rolled back, the first error is returned, and the next batch works", async () => {
    const database = await openNotes(await newDatabase(), { connections: 1 });
    await database.batch([insert(database, "a")]);
    const wrong = CompiledQuery.raw("select * from nowhere");
    for (const [failing, says] of [
      [insert(database, "a"), /unique/i],
      [wrong, "nowhere"],
    ] as const) {
      const failed = database.batch([insert(database, "b"), failing, insert(database, "c"), wrong]);
      await expect(failed).rejects.toThrow(says);
      expect(await idsOf(database)).toEqual(["a"]);
    }
    await database.batch([insert(database, "b"), insert(database, "c")]);
    expect(await idsOf(database)).toEqual(["a", "b", "c"]);
  });

  test("an error of the commit itself is reported too", async () => {
    const database = await openNotes(await newDatabase(), { connections: 1 });
    await sql`create table page (note text references note (id) deferrable initially deferred)`.execute(database.db);
    const page = CompiledQuery.raw("insert into page (note) values ('b')");
    await expect(database.batch([page, insert(database, "a")])).rejects.toThrow(/foreign key/i);
    expect(await idsOf(database)).toEqual([]);
    await database.batch([page, insert(database, "b")]);
    expect(await idsOf(database)).toEqual(["b"]);
  });

  test("a parameter that can't be stored is refused before any statement runs", async () => {
    const database = await openNotes(await newDatabase(), { connections: 1 });
    const place = database.engine === "sqlite" ? "?" : "$1";
    for (const value of [undefined, "\0", { a: 1 }, new Date()]) {
      const broken = CompiledQuery.raw(`insert into note (id, at) values (${place}, 1)`, [value]);
      await expect(database.batch([insert(database, "a"), broken])).rejects.toThrow(TypeError);
    }
    expect(await idsOf(database)).toEqual([]);
  });

  test("concurrent batches and transactions lose none of each other's changes", async () => {
    const url = await newDatabase();
    const [one, other] = [await openNotes(url, { connections: 3 }), await openNotes(url)];
    await one.batch([insert(one, "count"), insert(one, "other")]);
    const add = (db: Pick<typeof one.db, "updateTable">, id: string) =>
      db
        .updateTable("note")
        .set((eb) => ({ at: eb("at", "+", 1) }))
        .where("id", "=", id);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0
          ? one.transaction((tx) => add(tx, "count").execute())
          : (index % 2 ? one : other).batch([add(one.db, "count").compile(), add(one.db, "other").compile()]),
      ),
    );
    expect(await one.db.selectFrom("note").select(["id", "at"]).orderBy("id").execute()).toEqual([
      { id: "count", at: 31 },
      { id: "other", at: 21 },
    ]);
  });
});

testOnPostgres("on PostgreSQL, a batch is one transaction and one round trip", async () => {
  const { batch } = await openNotes(await newPostgresDatabase(), { connections: 1 });
  const waits = vi.spyOn(Connection.prototype as unknown as { sync: () => void }, "sync");
  onTestFinished(() => waits.mockRestore());
  const transaction = CompiledQuery.raw("select pg_current_xact_id()::text as id") as CompiledQuery<{ id: string }>;
  const [first, second] = await batch([transaction, transaction, CompiledQuery.raw("select $1::text", ["x"])]);
  expect(second.rows).toEqual(first.rows);
  expect(waits).toHaveBeenCalledOnce();
});

testOnPostgres(
  "a prepared statement that PostgreSQL skipped after an error is prepared by the next batch",
  async () => {
    const database = await openNotes(await newPostgresDatabase(), { connections: 1 });
    const { batch, db } = database;
    const text = `select count(*) as count from note where id <> $1 and id <> '${crypto.randomUUID()}'`;
    prepare(text);
    const count = CompiledQuery.raw(text, ["b"]);
    const wrong = CompiledQuery.raw("select * from nowhere");
    await expect(batch([wrong, count])).rejects.toThrow("nowhere");
    expect((await batch([insert(database, "a"), count, count])).map(({ rows }) => rows)).toEqual([
      [],
      [{ count: 1 }],
      [{ count: 1 }],
    ]);
    await expect(batch([count, wrong, count])).rejects.toThrow("nowhere");
    expect((await db.executeQuery(count)).rows).toEqual([{ count: 1 }]);
    const { rows } =
      await sql`select custom_plans as runs from pg_prepared_statements where statement = ${text}`.execute(db);
    expect(rows).toEqual([{ runs: 4 }]);
  },
);
