// suite: both
import { setTimeout as delay } from "node:timers/promises";
import { now } from "@crosszone/sql";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { type KyselyPlugin, sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { createJobLease, createReaper } from "./job-lease.ts";
import { newJob, openJobDatabase, openJobs } from "../testing/open-jobs.ts";

const leaseMs = 2_000;
const take = [{ share: "test", most: 9 }];

onBothEngines("process leases", (newDatabase) => {
  test("one row is renewed for all jobs, so a living process keeps its jobs", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url, { leaseMs }), await openJobs(url, { leaseMs })];
    await Promise.all(["1", "2"].map((id) => here.store.add(newJob(id, { as: "leased" }))));
    const until = performance.now() + 2 * leaseMs;
    await expect.poll(() => performance.now() > until).toBe(true);
    expect(await there.store.take(take)).toEqual([]);
    expect([here.lost, there.reaped, here.lease.isOver()]).toEqual([0, 0, false]);
  });

  test("O35: leases of equal length end at different times, and none early", async () => {
    const url = await newDatabase();
    const opened = await Promise.all(Array.from({ length: 8 }, () => openJobs(url, { leaseMs: 60_000 })));
    const { db, engine } = opened[0]?.database ?? {};
    const left = sql<{ ms: number }>`select alive_until - ${now(engine ?? "sqlite")} as ms from job_worker`;
    const ms = (await left.execute(db as never)).rows.map((row) => row.ms);
    expect(Math.max(...ms) - Math.min(...ms)).toBeGreaterThan(1_000);
    expect(Math.max(...ms)).toBeLessThanOrEqual(75_000);
  });

  test("jobs of an ended process are ready again, and the attempt is counted", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url, { leaseMs }), await openJobs(url, { leaseMs })];
    await here.store.add(newJob("1", { as: "leased" }));
    await here.lease.stop();
    await expect.poll(() => there.reaped).toBe(1);
    expect(await there.store.take(take)).toMatchObject([{ id: "1", attempt: 2 }]);
  });

  test("a process that was declared dead drops its jobs and continues with a new id", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url, { leaseMs: 2_000 }), await openJobs(url, { leaseMs })];
    await here.store.add(newJob("1", { as: "leased" }));
    const before = here.store.owner();
    await there.database.db.deleteFrom("job_worker").where("owner", "=", before).execute();
    await expect.poll(() => here.lost).toBe(1);
    expect(here.store.owner()).not.toBe(before);
    expect(await here.store.end([{ leaseId: { id: "1", attempt: 1 }, end: { outcome: "x", output: null } }])).toEqual([
      false,
    ]);
    expect(await here.store.add(newJob("2", { as: "leased" }))).toBe(true);
    expect(await here.store.end([{ leaseId: { id: "2", attempt: 1 }, end: { outcome: "x", output: null } }])).toEqual([
      true,
    ]);
  });

  test("a lease starts even if its first row was stored but the response was lost", async () => {
    const { database } = await openJobs(await newDatabase());
    const failures: unknown[] = [];
    const failed = (_: string, cause: unknown) => void failures.push(cause);
    const lease = createJobLease({ database, leaseMs, onLost: () => undefined, onReaped: () => undefined, failed });
    await database.db.insertInto("job_worker").values({ owner: lease.owner, alive_until: 0 }).execute();
    await lease.start();
    expect([lease.isOver(), failures]).toEqual([false, []]);
    await lease.stop();
  });
});

onBothEngines("lease expiry in two checks", (newDatabase) => {
  const start = async () => {
    const url = await newDatabase();
    // Neither renews or checks on its own meanwhile.
    const never = { leaseMs: 3_600_000 };
    const [here, there] = [await openJobs(url, never), await openJobs(url, never)];
    await here.store.add(newJob("1", { as: "leased" }));
    const expire = (alive_until: number) =>
      here.database.db.updateTable("job_worker").set({ alive_until }).where("owner", "=", here.lease.owner).execute();
    return { here, there, expire, reaper: createReaper(there.database) };
  };

  test("a process whose lease is expired in two checks is dead: its jobs are ready", async () => {
    const { there, expire, reaper } = await start();
    await expire(1);
    expect([await reaper.look(), reaper.suspects()]).toEqual([0, true]);
    expect(await there.store.take(take)).toEqual([]);
    expect([await reaper.look(), reaper.suspects()]).toEqual([1, false]);
    expect(await there.store.take(take)).toMatchObject([{ id: "1", attempt: 2 }]);
  });

  test("a process that paused and renewed between two checks keeps its jobs, however often", async () => {
    const { here, expire, reaper } = await start();
    for (const past of [1, 2, 3]) {
      await expire(past);
      expect(await reaper.look()).toBe(0);
    }
    await expire(Date.now() + 10_000);
    expect([await reaper.look(), reaper.suspects()]).toEqual([0, false]);
    const end = { leaseId: { id: "1", attempt: 1 }, end: { outcome: "x", output: null } };
    expect(await here.store.end([end])).toEqual([true]);
  });
});

test("O29: a lease whose renewal took longer than the lease is lost, without a warning beside the log", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const shortMs = 50;
  const database = await openJobDatabase(await newSqliteDatabase());
  onTestFinished(() => database.close());
  const late: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => delay(2 * shortMs, result),
  };
  const onLost = vi.fn<() => void>();
  const lease = createJobLease({
    database: { ...database, db: database.db.withPlugin(late) },
    leaseMs: shortMs,
    givesUp: true,
    onLost,
    onReaped: () => undefined,
    failed: () => undefined,
  });
  await lease.start();
  await expect.poll(() => onLost.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0);
  await lease.stop();
  expect(warn).not.toHaveBeenCalled();
});
