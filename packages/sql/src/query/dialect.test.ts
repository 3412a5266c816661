// suite: both
import { onBothEngines, newPostgresDatabase, newSqliteDatabase, testOnPostgres } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import {
  forUpdate,
  forUpdateSkipLocked,
  openDatabase,
  rowsFromJson,
  type Migrations,
  tablesStep,
  deleteOlder,
  now,
} from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

interface Tables {
  job: { id: number; count: number };
}

const migrations: Migrations = {
  "0001_tables": tablesStep(["job", "note"], async (db) => {
    await db.schema
      .createTable("job")
      .addColumn("id", "bigint", (column) => column.primaryKey())
      .addColumn("count", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createTable("note").addColumn("id", "integer").addColumn("at", "bigint").execute();
  }),
};

onBothEngines("the dialect", (newDatabase) => {
  const openTwo = async () => {
    const url = await newDatabase();
    const both = [];
    for (let index = 0; index < 2; index += 1) {
      const database = await openDatabase<Tables>({ url, schema: "dialect", migrations });
      onTestFinished(() => database.close());
      both.push(database);
    }
    const [one, other] = both as [(typeof both)[0], (typeof both)[0]];
    const rows = Array.from({ length: 100 }, (_, id) => ({ id }));
    const source = rowsFromJson(one.engine, rows, { alias: "row", columns: { id: "bigint" } });
    await sql`insert into job (id) select id from ${source}`.execute(one.db);
    return { one, other };
  };

  test("a locked row is skipped by one transaction, and complete for one that waits for it", async () => {
    const { one, other } = await openTwo();
    const add = ({ transaction, engine }: typeof one) =>
      transaction(async (tx) => {
        const row = await tx
          .selectFrom("job as locked")
          .select("count")
          .where("id", "=", 1)
          .modifyEnd(forUpdate(engine, "locked"))
          .executeTakeFirstOrThrow();
        await tx
          .updateTable("job")
          .set({ count: row.count + 1 })
          .where("id", "=", 1)
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, (_, turn) => add(turn % 2 ? one : other)));
    expect(await one.db.selectFrom("job").select("count").where("id", "=", 1).executeTakeFirst()).toEqual({
      count: 20,
    });
    if (one.engine === "sqlite") return;
    await one.transaction(async (tx) => {
      await tx.selectFrom("job").select("id").where("id", "=", 1).modifyEnd(forUpdate(one.engine)).execute();
      const seen = await other.transaction((meanwhile) =>
        meanwhile
          .selectFrom("job")
          .select("id")
          .where("id", "<", 3)
          .modifyEnd(forUpdateSkipLocked(one.engine))
          .execute(),
      );
      expect(new Set(seen.map(({ id }) => id))).toEqual(new Set([0, 2]));
    });
  });
});

onBothEngines("expired rows", (newDatabase) => {
  const start = async (times: readonly (number | null)[]) => {
    const database = await openDatabase<{ note: { id: number; at: number | null } }>({
      url: await newDatabase(),
      schema: "dialect",
      migrations,
    });
    onTestFinished(() => database.close());
    const { db } = database;
    await db
      .insertInto("note")
      .values(times.map((at, id) => ({ id, at })))
      .execute();
    const left = async () => (await db.selectFrom("note").select("at").orderBy("id").execute()).map(({ at }) => at);
    return { ...database, left };
  };
  const rows = { table: "note", key: "id", column: "at" };

  test("are deleted oldest first, up to the limit; newer rows and rows without a time stay", async () => {
    const { db, left } = await start([5, 1, 9, 3, null, 10]);
    expect(await deleteOlder(db, { ...rows, before: 10 }, 2)).toBe(2);
    expect(await left()).toEqual([5, 9, null, 10]);
    expect(await deleteOlder(db, { ...rows, before: 10 }, 500)).toBe(2);
    expect(await deleteOlder(db, { ...rows, before: 10 }, 500)).toBe(0);
    expect(await left()).toEqual([null, 10]);
  });

  test("can be determined by the database's clock, and deleted by several processes at once", async () => {
    const { db, engine, left } = await start([
      ...Array.from({ length: 50 }, () => Date.now() - 60_000),
      Date.now() + 60_000,
    ]);
    const before = sql<number>`${now(engine)} - 1000`;
    const gone = await Promise.all([1, 2, 3, 4].map(() => deleteOlder(db, { ...rows, before }, 20)));
    expect(gone.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(50);
    while ((await deleteOlder(db, { ...rows, before }, 20)) > 0);
    expect(await left()).toHaveLength(1);
  });
});

onBothEngines("values", (newDatabase) => {
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

testOnPostgres("on PostgreSQL arrays are checked too", async () => {
  const { db } = await openNotes(await newPostgresDatabase());
  await expect(sql`select ${["a", "\0"]}::text[]`.execute(db)).rejects.toThrow("U+0000");
});
