// suite: rest
import { explainStatements } from "@crosszone/sql/testing/explain";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { endRow } from "../table/job-texts.ts";
import { jobStatements } from "./job-statements.ts";
import { findWaitingShares, TakeMarks, takeJobs } from "./take-jobs.ts";
import { openJobs, testJobs } from "../testing/open-jobs.ts";

/** Five shares of a thousand jobs each, in a table of which PostgreSQL knows nothing. */
async function neverAnalyzed() {
  const { database, store } = await openJobs(await newPostgresDatabase());
  const { db } = database;
  await sql`alter table job set (autovacuum_enabled = false)`.execute(db);
  await sql`
    insert into job (id, kind, share, state, attempt, due_at, created_at, record, input)
    select 'job-' || n, 'test', 'test ' || n % 5, 0, 0, n, n, repeat('r', 200), 'i'
    from generate_series(1, 5000) as n`.execute(db);
  return { database, db, store };
}

const wanted = Array.from({ length: 5 }, (_, share) => ({ share: `test ${share}`, most: 10 }));

test("a take reads the start of each share's index range, even if the table was never analyzed", async () => {
  const { database, db } = await neverAnalyzed();
  const explained = explainStatements(db);
  const options = { owner: "me", own: [], marks: new TakeMarks("postgres") };
  await takeJobs({ ...database, unflushed: (run) => run(explained.db) }, wanted, options);
  const text = explained.plan();
  expect(text).toMatch(/Index (Only )?Scan using job_ready/);
  expect(text).not.toMatch(/Sort|Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(50);
});

test("shares are found by index jumps, however long they are", async () => {
  const { database, db } = await neverAnalyzed();
  const explained = explainStatements(db);
  await findWaitingShares({ ...database, db: explained.db }, "test");
  expect(explained.plan()).not.toMatch(/Bitmap|Seq Scan/);
  expect(explained.mostRows()).toBeLessThanOrEqual(10);
});

test("a long queue is taken without reading taken jobs again, even while an old snapshot is open", async () => {
  const { db, store } = await neverAnalyzed();
  await db.transaction().execute(async (snapshot) => {
    await sql`select count(*) from job`.execute(snapshot);
    const taken: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const jobs = await store.take(wanted);
      taken.push(...jobs.map(({ id }) => id));
      await store.end(jobs.map((leaseId) => ({ leaseId, end: { outcome: "done", output: null } })));
    }
    expect(new Set(taken).size).toBe(1_000);
    // Oldest first: no job was skipped.
    expect(taken.every((id) => Number(id.slice(4)) <= 1_000)).toBe(true);
  });
});

test("a job that commits late, behind the last take, is found within two seconds", async () => {
  const { db, store } = await neverAnalyzed();
  await store.take([{ share: "test 1", most: 10 }]);
  await sql`update job set state = 0, owner = null where sequence = (
    select min(sequence) from job where share = 'test 1')`.execute(db);
  const found = async (most: number) => (await store.take([{ share: "test 1", most }])).map(({ id }) => id);
  await expect.poll(() => found(10), { interval: 300 }).toContain("job-1");
  // At the end of a queue that was taken completely, a job is found immediately.
  await found(2_000);
  await sql`update job set state = 0, owner = null where id = 'job-6'`.execute(db);
  expect(await found(2_000)).toEqual(["job-6"]);
});

test("the end of a job reads only that job, however many its process has leased", async () => {
  const { db } = await neverAnalyzed();
  await sql`update job set state = 1, owner = 'me', attempt = 1`.execute(db);
  const rows = Array.from({ length: 10 }, (_, index) =>
    endRow(testJobs, { id: `job-${index + 1}`, attempt: 1 }, { owner: "me", end: { outcome: "done", output: null } }),
  );
  const { columns, postgres } = jobStatements(testJobs, "postgres").end;
  const values = columns.map((name) => rows.map((row) => row[name]));
  const text = `explain (analyze, costs off, timing off, summary off, buffers off) ${postgres.text}`;
  const plan = (await db.executeQuery(CompiledQuery.raw(text, values))).rows.map((row) => JSON.stringify(row)).join();
  expect(plan).toContain("Index Scan using job_id on job");
  expect(plan).not.toContain("job_owned");
});
