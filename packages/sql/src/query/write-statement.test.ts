// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase, tablesStep, writeStatement, type Database, type Migrations } from "../index.ts";
import { mostRows, rowsStatement } from "./database.ts";
import { openNotes } from "../testing/note-migrations.ts";

interface Tables {
  job: { id: string; state: string; due_at: number | null };
}

const migrations: Migrations = {
  "0001_jobs": tablesStep(["job"], (db) =>
    db.schema
      .createTable("job")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .execute(),
  ),
};

const insert = writeStatement({
  table: "job",
  key: "id",
  columns: { id: "text", state: "text", due_at: "bigint" },
  text: (rows) =>
    `insert into job (id, state, due_at) select id, state, due_at from ${rows} where true on conflict do nothing`,
});

const end = writeStatement({
  table: "job",
  key: "id",
  columns: { id: "text", state: "text" },
  text: (rows) =>
    `update job set state = new.state, due_at = null from ${rows} where job.id = new.id and job.state = 'open'`,
});

onBothEngines("writing many rows at once", (newDatabase) => {
  const open = async (url?: string): Promise<Database<Tables>> => {
    const database = await openDatabase<Tables>({ url: url ?? (await newDatabase()), schema: "jobs", migrations });
    onTestFinished(() => database.close());
    return database;
  };
  const job = (id: string, due_at: number | null = 2 ** 40) => ({ id, state: "open", due_at });
  const all = ({ db }: Database<Tables>) => db.selectFrom("job").selectAll().orderBy("id").execute();

  test("returns for each row whether it was changed, in row order", async () => {
    const database = await open();
    expect(await database.write(insert, [job("b")])).toEqual([true]);
    expect(await database.write(insert, [job("c"), job("b", null), job("a", null)])).toEqual([true, false, true]);
    expect(await all(database)).toEqual([job("a", null), job("b"), job("c")]);
    expect(
      await database.write(end, [
        { id: "gone", state: "done" },
        { id: "a", state: "done" },
      ]),
    ).toEqual([false, true]);
    expect(await all(database)).toEqual([{ id: "a", state: "done", due_at: null }, job("b"), job("c")]);
    expect(await database.write(insert, [])).toEqual([]);
  });

  test("writes the first of several rows with the same key, and returns false for the others", async () => {
    const database = await open();
    expect(await database.write(insert, [job("a"), job("b"), job("a", null), job("a", 3)])).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const ends = ["success", "canceled", "error"].map((state) => ({ id: "a", state }));
    expect(await database.write(end, ends)).toEqual([true, false, false]);
    expect(await all(database)).toEqual([{ id: "a", state: "success", due_at: null }, job("b")]);
  });

  test("runs other statements with the rows: all take effect or none, and each sees the effects of the ones before it", async () => {
    const database = await open();
    const { db } = database;
    const left = db.selectFrom("job").select("id").where("state", "=", "open").orderBy("id").compile();
    const touched = db.updateTable("job").set({ due_at: 1 }).where("id", "=", "a").compile();
    const rows = [job("a"), job("b"), job("a", 3)];
    const { changed, results } = await database.writeWith(insert, rows, [touched, left]);
    expect(changed).toEqual([true, true, false]);
    expect(results.map(({ rows: found, numAffectedRows }) => [found, numAffectedRows])).toEqual([
      [[], 1n],
      [[{ id: "a" }, { id: "b" }], undefined],
    ]);
    const failing = db.insertInto("job").values(job("b")).compile();
    await expect(database.writeWith(insert, [job("c")], [touched, failing])).rejects.toThrow(/unique/i);
    expect(await all(database)).toEqual([job("a", 1), job("b")]);
    expect(await database.writeWith(insert, [job("c")], [])).toEqual({ changed: [true], results: [] });
  });

  test("a refused row fails all rows of its call, and the next call works", async () => {
    const database = await open();
    const refused = { id: "b", state: null as unknown as string, due_at: null };
    await expect(database.write(insert, [job("a"), refused])).rejects.toThrow(/null/i);
    expect(await all(database)).toEqual([]);
    expect(await database.write(insert, [job("a")])).toEqual([true]);
  });

  test("waits for a transaction of this or another process, which in turn waits for it", async () => {
    const url = await newDatabase();
    const [here, there] = [await open(url), await open(url)];
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const transaction = here.transaction(async (trx) => {
      await trx.insertInto("job").values(job("first")).execute();
      entered.resolve();
      await leave.promise;
    });
    await entered.promise;
    const writes = [here.write(insert, [job("first", null)]), there.write(insert, [job("first", null)])];
    leave.resolve();
    await transaction;
    expect(await Promise.all(writes)).toEqual([[false], [false]]);
    expect(await all(there)).toEqual([job("first")]);
  });
});

const columns = { id: "text", at: "bigint", text: "text" } as const;
const inserting = rowsStatement({
  columns,
  text: (rows) => `insert into note (id, at, text) select id, at, text from ${rows} order by at returning id`,
});

onBothEngines("a statement of many rows", (newDatabase) => {
  test.for([0, 1, 2, 3, 64, 65, mostRows(3), mostRows(3) + 1])(
    "writes all of %i unchanged, and no more",
    async (count) => {
      const { db, engine } = await openNotes(await newDatabase());
      const rows = Array.from({ length: count }, (_, at) => ({
        id: `${at}`,
        at,
        text: at % 2 === 0 ? null : `é"'${at}`,
      }));
      expect(await inserting(db, engine, rows)).toEqual(rows.map(({ id }) => ({ id })));
      expect(await db.selectFrom("note").select(["id", "at", "text"]).orderBy("at").execute()).toEqual(rows);
    },
  );
});
