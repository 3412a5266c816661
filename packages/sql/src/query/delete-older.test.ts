import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { deleteOlder, now, openDatabase, type Migrations } from "../index.ts";

const migrations: Migrations = {
  "0001_notes": {
    up: async (db) => {
      await db.schema.createTable("note").addColumn("id", "integer").addColumn("at", "bigint").execute();
    },
    down: async (db) => {
      await db.schema.dropTable("note").execute();
    },
  },
};

contractOnBothEngines("expired rows", (newDatabase) => {
  const start = async (times: readonly (number | null)[]) => {
    const database = await openDatabase<{ note: { id: number; at: number | null } }>({
      url: await newDatabase(),
      schema: "notes",
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
