// suite: rest
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { writeStatement, rowsStatement } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

const change = writeStatement({
  table: "note",
  key: "id",
  columns: { id: "text", text: "text" },
  text: (rows) => `update note set text = new.text from ${rows} where note.id = new.id`,
});

test("a write that was planned when its table had one row uses the key when the table is large", async () => {
  const { db, write } = await openNotes(await newPostgresDatabase(), { connections: 4 });
  const writeTen = async (): Promise<void> => {
    for (let time = 0; time < 10; time += 1) await write(change, [{ id: "n7", text: String(time) }]);
  };
  const readSoFar = async (): Promise<{ readonly bySequence: number; readonly byIndex: number }> => {
    const { rows } = await sql<{ bySequence: number; byIndex: number }>`
      select seq_tup_read as "bySequence", idx_tup_fetch as "byIndex"
      from pg_stat_user_tables where relname = 'note'`.execute(db);
    return { bySequence: Number(rows[0]?.bySequence), byIndex: Number(rows[0]?.byIndex) };
  };
  /** Each connection tells the server what it has read about once a second. */
  const rowsOfWrites = async (): Promise<number> => {
    const before = await readSoFar();
    const told = async (): Promise<boolean> => {
      await writeTen();
      const { bySequence, byIndex } = await readSoFar();
      return bySequence + byIndex > before.bySequence + before.byIndex;
    };
    await expect.poll(told, { interval: 300 }).toBe(true);
    return (await readSoFar()).bySequence - before.bySequence;
  };
  await sql`insert into note (id, at, text) values ('n0', 0, '')`.execute(db);
  await sql`vacuum analyze note`.execute(db);
  await rowsOfWrites();
  await sql`insert into note (id, at, text) select 'n' || i, i, '' from generate_series(1, 20000) i`.execute(db);
  expect(await rowsOfWrites()).toBe(0);
});

test("rows of a table that was never analyzed are found by its index, without a bitmap", async () => {
  const { db } = await openNotes(await newPostgresDatabase(), { connections: 1 });
  await sql`create index note_text on note (text)`.execute(db);
  await sql`insert into note (id, at, text) select 'n' || i, i, i % 2 from generate_series(1, 20000) i`.execute(db);
  const { rows } = await sql`explain (costs off) select id from note where text = '1'`.execute(db);
  expect(rows[0]).toEqual({ "QUERY PLAN": "Index Scan using note_text on note" });
});

const inserting = rowsStatement({
  columns: { id: "text", at: "bigint" },
  text: (rows) => `insert into note (id, at) select id, at from ${rows}`,
});

test("a statement of many rows is parsed once per connection, in a transaction or not", async () => {
  const { db, engine, transaction } = await openNotes(await newPostgresDatabase(), { connections: 1 });
  await inserting(db, engine, [{ id: "a", at: 1 }]);
  await transaction((tx) => inserting(tx, engine, [{ id: "b", at: 1 }]));
  // A statement parsed in a failed transaction may not exist.
  await expect(transaction((tx) => inserting(tx, engine, [{ id: "a", at: 1 }]))).rejects.toMatchObject({
    code: "23505",
  });
  await inserting(db, engine, [
    { id: "c", at: 1 },
    { id: "d", at: 1 },
  ]);
  const { rows } = await sql`
    select custom_plans as runs from pg_prepared_statements where statement like 'insert into note%'`.execute(db);
  expect(rows).toEqual([{ runs: 4 }]);
});

const changeInOrder = writeStatement({
  table: "note",
  key: "id",
  columns: { id: "text", text: "text" },
  text: (rows) => `update note set text = new.text from ${rows} where note.id = new.id`,
  locksInOrder: true,
});

test("rows are locked in key order, however the table is read", async () => {
  const { db, transaction, write } = await openNotes(await newPostgresDatabase(), { connections: 3 });
  // In the table the rows are in the opposite order, and so few that the planner reads the whole table.
  const ids = Array.from({ length: 100 }, (_, n) => `n${String(n).padStart(2, "0")}`);
  await sql`insert into note (id, at, text) select unnest(${ids.toReversed()}::text[]), 1, ''`.execute(db);
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`.execute(db);
    return rows.length > 0;
  };
  const set = (trx: typeof db, id: string) =>
    trx.updateTable("note").set({ text: "first" }).where("id", "=", id).execute();

  const written = await transaction(async (trx) => {
    await set(trx, "n50");
    const writing = write(
      changeInOrder,
      ids.map((id) => ({ id, text: "second" })),
    );
    await vi.waitFor(async () => expect(await isWaiting()).toBe(true));
    // The write waits for the row in the middle, and has locked none of the rows behind it.
    await set(trx, "n99");
    return { writing };
  });

  expect(await written.writing).toEqual(ids.map(() => true));
  expect(await db.selectFrom("note").where("text", "=", "second").selectAll().execute()).toHaveLength(100);
});
