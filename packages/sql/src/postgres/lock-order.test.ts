import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { writeStatement } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

const change = writeStatement({
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
      change,
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
