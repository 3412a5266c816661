import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { writeStatement } from "../index.ts";
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
    await expect.poll(told, { timeout: 10_000, interval: 300 }).toBe(true);
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
