import { newPostgresDatabase, newSqliteDatabase, contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openNotes } from "../testing/note-migrations.ts";

contractOnBothEngines("values", (newDatabase) => {
  test("text, large counts and bytes are read back unchanged", async () => {
    const { db } = await openNotes(await newDatabase());
    const note = { id: "𝄞 ü '\"\\", at: Number.MAX_SAFE_INTEGER, text: JSON.stringify("\0 \ud800") };
    await db.insertInto("note").values(note).execute();
    expect(await db.selectFrom("note").selectAll().execute()).toEqual([note]);
    expect(JSON.parse(note.text)).toBe("\0 \ud800");
  });

  test("a value that either engine would change is refused by both, and nothing is written", async () => {
    const { db } = await openNotes(await newDatabase());
    const insert = (text: unknown) => sql`insert into note (id, at, text) values ('1', 1, ${text})`.execute(db);
    await expect(insert("a\0b")).rejects.toThrow("U+0000");
    await expect(insert("\udc00")).rejects.toThrow("surrogate");
    await expect(insert(undefined)).rejects.toThrow("undefined");
    const flag = sql`insert into note (id, at) values ('1', ${true})`.execute(db);
    await expect(flag).rejects.toThrow(/boolean|bigint: "true"/);
    expect(await db.selectFrom("note").selectAll().execute()).toEqual([]);
  });

  test("a count that a number cannot represent exactly is refused on read; sums are numbers", async () => {
    const { db } = await openNotes(await newDatabase());
    await sql`insert into note (id, at) values ('1', 9007199254740993)`.execute(db);
    await expect(db.selectFrom("note").select("at").execute()).rejects.toThrow("too large");
    await sql`update note set at = 2`.execute(db);
    const { rows } = await sql`select sum(at) as total, count(*) as notes from note`.execute(db);
    expect(rows).toEqual([{ total: 2, notes: 1 }]);
  });
});

test("SQLite refuses text that it would read as parameter names", async () => {
  const { db } = await openNotes(await newSqliteDatabase());
  await expect(sql`select ${new Date()} as at`.execute(db)).rejects.toThrow("object");
});

test("a compiled statement works again after an abandoned read and after a schema change", async () => {
  const { db } = await openNotes(await newSqliteDatabase());
  await sql`insert into note (id, at) values ('1', 1), ('2', 2), ('3', 3)`.execute(db);
  const all = db.selectFrom("note").selectAll().orderBy("id");
  for await (const { id } of all.stream()) if (id === "2") break;
  expect(await all.execute()).toHaveLength(3);
  await sql`alter table note add column more text default 'x'`.execute(db);
  expect((await all.execute())[0]).toEqual({ id: "1", at: 1, text: null, more: "x" });
  await sql`alter table note drop column text`.execute(db);
  expect((await all.execute())[0]).toEqual({ id: "1", at: 1, more: "x" });
});

test("on PostgreSQL arrays are checked too", async () => {
  const { db } = await openNotes(await newPostgresDatabase());
  await expect(sql`select ${["a", "\0"]}::text[]`.execute(db)).rejects.toThrow("U+0000");
});
