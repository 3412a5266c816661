import { explainStatements } from "@crosszone/sql/testing/explain";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { findWaitingShares, takeJobs } from "../store/take-jobs.ts";
import { openLanes } from "../testing/open-lanes.ts";
import { headlessLanes, promoteHeads } from "./lane-heads.ts";
import { deleteLeased } from "./lane-statements.ts";

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
  return db;
}

test("a take does not read the jobs behind the head of a long lane, even if the table was never analyzed", async () => {
  const db = await longLane();
  const explained = explainStatements(db);
  await findWaitingShares({ db: explained.db, engine: "postgres" }, "test");
  const options = { owner: "me", own: [], markOf: () => undefined };
  const wanted = [{ share: "test", most: 50 }];
  await takeJobs({ engine: "postgres", unflushed: (run) => run(explained.db) }, wanted, options);
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(50);
});

test("an end reads only its own job, even if the table was never analyzed", async () => {
  const db = await longLane();
  await sql`update job set owner = 'me', attempt = 1 where id = 'job-1'`.execute(db);
  const explained = explainStatements(db);
  await deleteLeased("postgres", "me", [{ id: "job-1", attempt: 1, lane: "long" }]).execute(explained.db);
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(10);
  expect((await sql`select 1 from job where id = 'job-1'`.execute(db)).rows).toEqual([]);
});

test("one index step finds the next head of a long lane, and a lane without a head", async () => {
  const db = await longLane();
  const explained = explainStatements(db);
  await sql`update job set state = 4 where id = 'job-1'`.execute(db);
  await headlessLanes.execute(explained.db);
  await promoteHeads("postgres", ["long", "none"]).execute(explained.db);
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(110);
  const heads = await sql<{ id: string }>`select id from job where lane = 'long' and state = 0`.execute(db);
  expect(heads.rows).toEqual([{ id: "job-2" }]);
});
