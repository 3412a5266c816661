import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { rowsStatement } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

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
