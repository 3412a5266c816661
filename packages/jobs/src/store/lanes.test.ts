// suite: both
import { explainStatements } from "@crosszone/sql/testing/explain";
import { onBothEngines, newPostgresDatabase, testOnPostgres } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteLeased, headlessLanes, promoteHeads } from "./job-statements.ts";
import { findWaitingShares, TakeMarks, takeJobs } from "./take-jobs.ts";
import { openLanes, type OpenLanes } from "../testing/open-jobs.ts";

async function taken({ take }: OpenLanes): Promise<NonNullable<Awaited<ReturnType<OpenLanes["take"]>>>> {
  const job = await take();
  if (job === undefined) throw new Error("no job can be taken");
  return job;
}

onBothEngines("jobs in lanes", (newDatabase) => {
  const open = async (): Promise<OpenLanes> => openLanes(await newDatabase());

  test("run one after the other within a lane, in insertion order; other lanes continue meanwhile", async () => {
    const lanes = await open();
    const entered = [];
    for (const [id, lane] of ["a1 a", "a2 a", "b1 b", "a3 a"].map((one) => one.split(" ") as [string, string]))
      entered.push(await lanes.add(id, lane));
    expect(entered).toEqual(["ready", "behind", "ready", "behind"]);
    const a1 = await taken(lanes);
    expect([a1.id, (await taken(lanes)).id, await lanes.take()]).toEqual(["a1", "b1", undefined]);
    expect(await lanes.store.lanes.remove(a1)).toBe(true);
    const a2 = await taken(lanes);
    expect([a2.id, await lanes.take()]).toEqual(["a2", undefined]);
    expect(await lanes.store.lanes.remove(a2)).toBe(true);
    expect((await taken(lanes)).id).toBe("a3");
    expect(lanes.promoted).toEqual(["test", "test"]);
  });

  test("a job can be inserted as leased if its lane is free, otherwise only behind the head", async () => {
    const { add, store, take } = await open();
    expect(await add("a1", "a", { as: "leased" })).toBe("leased");
    expect(await add("a2", "a", { as: "leased" })).toBe("behind");
    expect(await add("a1", "b", { as: "leased" })).toBeUndefined();
    await store.lanes.remove({ id: "a1", attempt: 1, lane: "a" });
    expect(await take()).toEqual({ id: "a2", attempt: 1, lane: "a" });
  });

  test("an end can be repeated after its response was lost; a process cannot end another's job", async () => {
    const url = await newDatabase();
    const [here, there] = [await openLanes(url), await openLanes(url)];
    await here.add("1", "a");
    const job = await taken(here);
    expect(await there.store.lanes.remove(job)).toBe(false);
    expect(await here.store.lanes.remove({ ...job, attempt: 2 })).toBe(false);
    expect([await here.store.lanes.remove(job), await here.store.lanes.remove(job)]).toEqual([true, true]);
  });

  test("a released job keeps its place: its lane waits for it, and later jobs follow it", async () => {
    const lanes = await open();
    await lanes.add("a1", "a");
    await lanes.add("a2", "a");
    await lanes.add("b1", "b");
    await lanes.store.release([await taken(lanes)], { counted: false });
    const again = await taken(lanes);
    expect(again).toMatchObject({ id: "a1", attempt: 2 });
    await lanes.store.release([again], { counted: true, afterMs: 60_000 });
    expect([(await taken(lanes)).id, await lanes.take()]).toEqual(["b1", undefined]);
    expect(await lanes.store.release([again], { counted: true })).toEqual([false]);
    const row = sql<{ uncounted: number }>`select uncounted from job where id = 'a1'`;
    expect((await row.execute(lanes.database.db)).rows).toEqual([{ uncounted: 1 }]);
  });

  test("a parked job does not block its lane, and returns to its place", async () => {
    const lanes = await open();
    for (const id of ["a1", "a2", "a3"]) await lanes.add(id, "a");
    const a1 = await taken(lanes);
    expect(await lanes.store.lanes.park(a1, { note: "why" })).toBe(true);
    expect(await lanes.store.lanes.park(a1, { note: "again" })).toBe(false);
    const a2 = await taken(lanes);
    expect(a2.id).toBe("a2");
    expect([await lanes.store.lanes.unpark("a1"), await lanes.store.lanes.unpark("a1")]).toEqual([true, false]);
    expect(await lanes.take()).toBeUndefined();
    await lanes.store.lanes.remove(a2);
    const again = await taken(lanes);
    expect(again).toMatchObject({ id: "a1", attempt: 2 });
    expect(await lanes.store.lanes.discard("a1")).toBe(false);
    await lanes.store.lanes.park(again, { note: "why" });
    const unless = { only: sql`false` };
    expect([await lanes.store.lanes.unpark("a1", unless), await lanes.store.lanes.discard("a1", unless)]).toEqual([
      false,
      false,
    ]);
    expect([await lanes.store.lanes.discard("a1"), await lanes.store.lanes.discard("a1")]).toEqual([true, false]);
    expect(await taken(lanes)).toMatchObject({ id: "a3" });
  });

  test("a lane without a head gets one before it accepts another job", async () => {
    const lanes = await open();
    for (const id of ["a1", "a2"]) await lanes.add(id, "a");
    for (const id of ["b1", "b2"]) await lanes.add(id, "b");
    await sql`delete from job where id = 'a1'`.execute(lanes.database.db);
    expect(await lanes.add("a3", "a")).toBe("behind");
    expect([await lanes.store.lanes.heal(), await lanes.store.lanes.heal()]).toEqual([1, 0]);
    // It was there before `b1`.
    expect([(await taken(lanes)).id, (await taken(lanes)).id, await lanes.take()]).toEqual(["a2", "b1", undefined]);
  });

  test("the database itself refuses a second head of a lane", async () => {
    const { add, database } = await open();
    for (const id of ["a1", "a2"]) await add(id, "a");
    for (const state of [0, 1, 3])
      await expect(sql`update job set state = ${sql.lit(state)} where id = 'a2'`.execute(database.db)).rejects.toThrow(
        /unique/i,
      );
  });
});

/** One lane of 20,000 jobs, the first of which is leased, then 1,000 lanes; PostgreSQL knows nothing of the table. */
async function longLane() {
  const { database } = await openLanes(await newPostgresDatabase());
  const { db } = database;
  await sql`alter table job set (autovacuum_enabled = false)`.execute(db);
  await sql`
    insert into job (id, kind, share, lane, state, attempt, uncounted, due_at, created_at, record, input)
    select 'job-' || n, 'test', 'test', case when n <= 20000 then 'long' else md5(n::text) end,
      case when n = 1 then 1 when n <= 20000 then 2 else 0 end, 0, 0, n, n, '{}', repeat('r', 200)
    from generate_series(1, 21000) as n`.execute(db);
  return database;
}

testOnPostgres(
  "a take does not read the jobs behind the head of a long lane, even if the table was never analyzed",
  async () => {
    const database = await longLane();
    const explained = explainStatements(database.db);
    await findWaitingShares({ ...database, db: explained.db }, "test");
    const options = { owner: "me", own: [], marks: new TakeMarks("postgres") };
    const wanted = [{ share: "test", most: 50 }];
    await takeJobs({ ...database, unflushed: (run) => run(explained.db) }, wanted, options);
    expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
    expect(explained.mostRows()).toBeLessThanOrEqual(50);
  },
);

testOnPostgres("an end reads only its own job, even if the table was never analyzed", async () => {
  const database = await longLane();
  const { db } = database;
  await sql`update job set owner = 'me', attempt = 1 where id = 'job-1'`.execute(db);
  const explained = explainStatements(db);
  await deleteLeased("postgres", "me", [{ id: "job-1", attempt: 1 }]).execute(explained.db);
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(10);
  expect((await sql`select 1 from job where id = 'job-1'`.execute(db)).rows).toEqual([]);
});

testOnPostgres("one index step finds the next head of a long lane, and a lane without a head", async () => {
  const database = await longLane();
  const { db } = database;
  const explained = explainStatements(db);
  await sql`update job set state = 4 where id = 'job-1'`.execute(db);
  await headlessLanes.execute(explained.db);
  await promoteHeads("postgres", ["long", "none"]).execute(explained.db);
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(110);
  const heads = await sql<{ id: string }>`select id from job where lane = 'long' and state = 0`.execute(db);
  expect(heads.rows).toEqual([{ id: "job-2" }]);
});
