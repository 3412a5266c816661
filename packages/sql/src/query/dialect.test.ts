import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { forUpdate, forUpdateSkipLocked, openDatabase, rowsFromJson, type Migrations } from "../index.ts";

interface Tables {
  job: { id: number; taken_by: string | null; count: number };
}

const migrations: Migrations = {
  "0001_jobs": {
    up: async (db) => {
      await db.schema
        .createTable("job")
        .addColumn("id", "bigint", (column) => column.primaryKey())
        .addColumn("taken_by", "text")
        .addColumn("count", "bigint", (column) => column.notNull().defaultTo(0))
        .execute();
    },
    down: async (db) => {
      await db.schema.dropTable("job").execute();
    },
  },
};

contractOnBothEngines("the dialect", (newDatabase) => {
  const openTwo = async () => {
    const url = await newDatabase();
    const both = [];
    for (let index = 0; index < 2; index += 1) {
      const database = await openDatabase<Tables>({ url, schema: "jobs", migrations });
      onTestFinished(() => database.close());
      both.push(database);
    }
    const [one, other] = both as [(typeof both)[0], (typeof both)[0]];
    const rows = Array.from({ length: 100 }, (_, id) => ({ id }));
    const source = rowsFromJson(one.engine, rows, { alias: "row", columns: { id: "bigint" } });
    await sql`insert into job (id) select id from ${source}`.execute(one.db);
    return { one, other };
  };

  test("several processes share the rows of a table: each row is taken once, and no process waits", async () => {
    const { one, other } = await openTwo();
    const take = ({ db, engine }: typeof one, name: string) =>
      sql<{ id: number }>`
        with free as materialized (
          select id from job where taken_by is null order by id limit 10 ${forUpdateSkipLocked(engine)}
        )
        update job set taken_by = ${name} where id in (select id from free) returning id`.execute(db);
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => (turn % 2 ? take(one, "one") : take(other, "other"))),
    );
    const ids = taken.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    while ((await take(one, "one")).rows.length > 0);
    expect(await one.db.selectFrom("job").where("taken_by", "is", null).selectAll().execute()).toEqual([]);
  });

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
