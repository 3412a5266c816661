import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { writeStatement } from "../index.ts";
import { openNotes } from "../testing/notes.ts";

const change = writeStatement({
  table: "note",
  key: "id",
  columns: { id: "text", text: "text" },
  text: (rows) => `update note set text = new.text from ${rows} where note.id = new.id`,
});

test("a write that was planned while its table was empty finds its rows by their key when the table is large", async () => {
  const { db, write } = await openNotes(await newPostgresDatabase(), { connections: 1 });
  const writeTen = async (): Promise<void> => {
    for (let time = 0; time < 10; time += 1) await write(change, [{ id: "n7", text: String(time) }]);
  };
  const readBySequence = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read as read from pg_stat_user_tables where relname = 'note'`.execute(db);
    return Number(rows[0]?.read);
  };
  await write(change, [{ id: "n0", text: "" }]);
  await sql`vacuum analyze note`.execute(db);
  await writeTen();
  await sql`insert into note (id, at, text) select 'n' || i, i, '' from generate_series(1, 20000) i`.execute(db);
  const before = await readBySequence();
  await writeTen();
  expect((await readBySequence()) - before).toBe(0);
});
