// suite: both
import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import type { LeaseId } from "../table/job-tables.ts";
import { newJob, openJobs } from "../testing/open-jobs.ts";

const ids = (jobs: readonly { readonly id: string }[]): string[] => jobs.map(({ id }) => id);
const ended = (leaseId: LeaseId, output = "null") => [{ leaseId, end: { outcome: "done", output } }];

onBothEngines("jobs", (newDatabase) => {
  test("are taken oldest first, up to the requested number per share, by one process only", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    for (const id of ["a1", "a2", "a3", "b1"]) await here.store.add(newJob(id, { share: `test ${id[0]}` }));
    expect(await here.store.waitingShares("test")).toEqual(["test a", "test b"]);
    const wanted = [
      { share: "test a", most: 2 },
      { share: "test b", most: 5 },
    ];
    expect(ids(await here.store.take(wanted))).toEqual(["a1", "a2", "b1"]);
    expect(ids(await there.store.take(wanted))).toEqual(["a3"]);
    expect(await there.store.take(wanted)).toEqual([]);
    expect(await here.store.waitingShares("test")).toEqual([]);
  });

  test("a kind's shares are its own, whatever the shares of other kinds are named", async () => {
    const { store } = await openJobs(await newDatabase());
    for (const share of ["test", "test a", "tesu", "tes", "test!", "testing x"])
      await store.add(newJob(share, { share, kind: share.split(" ")[0] ?? "" }));
    expect(await store.waitingShares("test")).toEqual(["test", "test a"]);
  });

  test("of two jobs with the same id or key, the first is stored", async () => {
    const { store } = await openJobs(await newDatabase());
    const added = await Promise.all([
      store.add(newJob("1", { key: "k" })),
      store.add(newJob("2", { key: "k" })),
      store.add(newJob("1", { key: "other" })),
      store.add(newJob("3", { key: "k", kind: "another", share: "another" })),
    ]);
    expect(added).toEqual([true, false, false, true]);
    expect(await store.add(newJob("2", { key: "k" }))).toBe(false);
  });

  test("no wake-up is lost: a sleeping job is due at once, a leased one when it is released, others stay as they are", async () => {
    const [url, sleepMs] = [await newDatabase(), 3_600_000];
    const [{ store }, other] = [await openJobs(url), await openJobs(url)];
    const take = async (from = store) => ids(await from.take([{ share: "test", most: 9 }]));
    const sleep = (id: string, attempt: number) =>
      store.release([{ id, attempt }], { counted: false, afterMs: sleepMs });
    for (const id of ["sleeps", "runs", "ended"]) await store.add(newJob(id, { as: "leased" }));
    await store.end(ended({ id: "ended", attempt: 1 }));
    await sleep("sleeps", 1);
    expect(await take()).toEqual([]);
    await other.store.queries.wake(["sleeps", "runs", "ended", "unknown"]).execute(other.database.db);
    expect(await take()).toEqual(["sleeps"]);
    await sleep("runs", 1);
    expect(await take(other.store)).toEqual(["runs"]);
    // A wake-up counts once.
    await other.store.release([{ id: "runs", attempt: 1 }], { counted: false, afterMs: sleepMs });
    expect(await take()).toEqual([]);
  });

  test("a job that is due was taken before the change that woke it was there to read, and slept over it", async () => {
    const url = await newDatabase();
    const [{ store }, { database }] = [await openJobs(url), await openJobs(url)];
    await store.add(newJob("due"));
    const take = async () => ids(await store.take([{ share: "test", most: 9 }]));
    let isChanged = false;
    let early: Promise<[taken: readonly string[], isChanged: boolean]> | undefined;
    await database.transaction(async (transaction) => {
      await store.queries.wake(["due"]).execute(transaction);
      // SQLite waits for the transaction, PostgreSQL passes the job over.
      early = take().then((taken) => [taken, isChanged]);
      await Promise.race([early, delay(200)]);
      isChanged = true;
    });
    const [taken = [], wasChanged = false] = (await early) ?? [];
    expect(taken.length === 0 || wasChanged).toBe(true);
    expect([...taken, ...(await take())]).toEqual(["due"]);
  });

  test("a query that runs with an insert sees the jobs before it; concurrent callers each get their own rows", async () => {
    const { store, database } = await openJobs(await newDatabase());
    await store.add(newJob("0", { own: { note: "before" } }));
    const noteOf = (id: string) =>
      database.db
        .selectFrom("job")
        .select("note" as never)
        .where("id", "=", id)
        .compile();
    const added = await Promise.all([
      store.addReading(newJob("1"), noteOf("0")),
      store.add(newJob("2")),
      store.addReading(newJob("0"), noteOf("none")),
    ]);
    expect(added).toEqual([{ isNew: true, rows: [{ note: "before" }] }, true, { isNew: false, rows: [] }]);
  });

  test("a job is stored with other rows or not at all, and once", async () => {
    const { store, database } = await openJobs(await newDatabase());
    const failing = database.db
      .updateTable("job")
      .set({ state: null as never })
      .compile();
    const adding = (id: string) => store.queries.add(newJob(id, { own: { note: "n" }, dueInMs: 60_000 }));
    await expect(database.batch([adding("1"), failing])).rejects.toThrow(/null/i);
    await database.batch([adding("2"), adding("2")]);
    const rows = await database.db.selectFrom("job").selectAll().execute();
    expect(rows).toMatchObject([{ id: "2", state: 0, note: "n", owner: null }]);
    expect(await store.take([{ share: "test", most: 9 }])).toEqual([]);
  });

  test("the statements of an end share its commit", async () => {
    const { store, database } = await openJobs(await newDatabase());
    for (const id of ["1", "2", "3"]) await store.add(newJob(id, { as: "leased" }));
    const parked = (id: string) => database.db.updateTable("job").set({ state: 5 }).where("id", "=", id).compile();
    const failing = database.db
      .updateTable("job")
      .set({ state: null as never })
      .compile();
    const [first, second] = await Promise.allSettled([
      store.end(ended({ id: "1", attempt: 1 }), [parked("3")]),
      store.end(ended({ id: "2", attempt: 1 }), [failing]),
    ]);
    expect(first).toMatchObject({ value: [true] });
    expect(second.status).toBe("rejected");
    const states = await database.db.selectFrom("job").select("state").orderBy("id").execute();
    expect(states.map(({ state }) => state)).toEqual([4, 1, 5]);
  });

  test("only the lessee ends a job, once; an end whose response was lost is recognized when it is repeated", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    await here.store.add(newJob("1", { as: "leased", input: "asked", own: { note: "n" } }));
    const leaseId = { id: "1", attempt: 1 };
    expect(await there.store.end(ended(leaseId))).toEqual([false]);
    expect(await here.store.end(ended({ id: "1", attempt: 2 }))).toEqual([false]);
    const end = { outcome: "done", output: "result", own: { score: 7 } };
    expect(await here.store.end([{ leaseId, end }])).toEqual([true]);
    expect(await here.store.end([{ leaseId, end }])).toEqual([true]);
    expect(await there.store.end(ended(leaseId))).toEqual([false]);
    const row = await here.database.db.selectFrom("job").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: 4, outcome: "done", output: "result", input: null, note: null, score: 7 });
  });

  test("W18.1: a job that nobody has had gets another input once, if it is as it was read; one that was had never does", async () => {
    const { store } = await openJobs(await newDatabase());
    for (const id of ["1", "2"]) await store.add(newJob(id, { input: "old" }));
    const amend = (id: string, from: string, to: string) => store.amend(id, { from, to });
    expect(await Promise.all([amend("1", "old", "new"), amend("1", "old", "other")])).toHaveLength(2);
    expect(await amend("1", "old", "late")).toBe(false);
    const taken = await store.take([{ share: "test", most: 2 }]);
    expect(taken.map(({ input }) => input)).toEqual([expect.stringMatching(/^(new|other)$/), "old"]);
    expect(await amend("2", "old", "new")).toBe(false);
    await store.release(taken, { counted: true });
    expect(await amend("2", "old", "new")).toBe(false);
    expect(await amend("3", "old", "new")).toBe(false);
  });

  test("a released job is ready for others, with or without counting the attempt, now or later", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    await here.store.add(newJob("1", { as: "leased" }));
    await here.store.release([{ id: "1", attempt: 1 }], { counted: false });
    const [again] = await there.store.take([{ share: "test", most: 9 }]);
    expect(again).toMatchObject({ id: "1", attempt: 1 });
    await there.store.release([{ id: "1", attempt: 1 }], { counted: true, afterMs: 60_000 });
    expect(await here.store.take([{ share: "test", most: 9 }])).toEqual([]);
    await here.store.release([{ id: "1", attempt: 1 }], { counted: true });
    const row = await here.database.db.selectFrom("job").select(["attempt", "due_at"]).executeTakeFirstOrThrow();
    expect(row.attempt).toBe(1);
    expect(row.due_at).toBeGreaterThan(Date.now() + 30_000);
  });

  test("a job is not taken before it is due", async () => {
    const { store } = await openJobs(await newDatabase());
    await store.add(newJob("later", { dueInMs: 60_000, deadlineMs: 1_000 }));
    await store.add(newJob("now", { deadlineMs: 1_000 }));
    const taken = await store.take([{ share: "test", most: 9 }]);
    expect(ids(taken)).toEqual(["now"]);
    expect(taken[0]?.remaining_ms).toBeLessThanOrEqual(1_000);
    expect(taken[0]?.waited_ms).toBeGreaterThanOrEqual(0);
  });

  test("a leased job's own columns are updated, and no other job's", async () => {
    const { store, database } = await openJobs(await newDatabase());
    await store.add(newJob("1", { as: "leased", own: { score: 1 } }));
    expect(await store.set({ id: "1", attempt: 1 }, { note: "hello" })).toBe(true);
    expect(await store.set({ id: "1", attempt: 2 }, { note: "late" })).toBe(false);
    const row = await database.db.selectFrom("job").selectAll().executeTakeFirst();
    expect(row).toMatchObject({ note: "hello", score: 1 });
  });

  test("any process can end a job, and the lessee is notified", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    await here.store.add(newJob("1", { as: "leased", parent: "p" }));
    const leaseId = { id: "1", attempt: 1 };
    expect(await here.store.lost([leaseId])).toEqual([]);
    const canceled = { outcome: "canceled", output: "why" };
    expect(await there.store.endOpen("1", canceled)).toMatchObject({ id: "1", parent: "p" });
    expect(await there.store.endOpen("1", canceled)).toBeUndefined();
    expect(await there.store.endOpen("none", canceled)).toBeUndefined();
    expect(await here.store.lost([leaseId, { id: "none", attempt: 1 }])).toEqual([
      { ...leaseId, outcome: "canceled" },
      { id: "none", attempt: 1, outcome: undefined },
    ]);
    expect(await here.store.end(ended(leaseId))).toEqual([false]);
  });

  test("the load of a kind can be read, and ended jobs are deleted after the retention time", async () => {
    const { store } = await openJobs(await newDatabase());
    await Promise.all([store.add(newJob("1", { as: "leased" })), store.add(newJob("2")), store.add(newJob("3"))]);
    await store.add(newJob("other", { kind: "other", share: "other" }));
    await store.add(newJob("waits", { as: "waiting" }));
    expect(await store.readings("test")).toMatchObject({ open: 4, waiting: 2, parked: 0 });
    await store.end(ended({ id: "1", attempt: 1 }));
    expect(await store.readings("test")).toMatchObject({ open: 3, waiting: 2 });
    expect(await store.forget("test", 60_000, 10)).toBe(0);
    await expect.poll(() => store.forget("test", 0, 10)).toBe(1);
  });
});

const result = { outcome: "done", output: "result", own: { score: 7 } };
const leaseId = { id: "1", attempt: 1 };

onBothEngines("passing a job on", (newDatabase) => {
  test("another process takes it with the result, and its leases are counted anew", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    await here.store.add(newJob("1", { as: "leased", input: "asked" }));
    const next = { kind: "result", share: "result", as: "ready", attempt: 0 } as const;
    expect(await there.store.passOn(leaseId, result, next)).toBe(false);
    expect(await here.store.passOn(leaseId, result, next)).toBe(true);
    expect(await here.store.passOn(leaseId, result, next)).toBe(false);
    const [taken] = await there.store.take([{ share: "result", most: 1 }]);
    expect(taken).toMatchObject({ id: "1", kind: "result", attempt: 1, input: null, output: "result", score: 7 });
  });

  test("a repeated call changes nothing, even if this process has leased the job again", async () => {
    const { store } = await openJobs(await newDatabase());
    await store.add(newJob("1", { as: "leased" }));
    const next = { kind: "result", share: "result", as: "ready", attempt: 0 } as const;
    await store.passOn(leaseId, result, next);
    const [again] = await store.take([{ share: "result", most: 1 }]);
    expect(again).toMatchObject(leaseId);
    expect(await store.passOn(leaseId, result, next)).toBe(false);
    expect(await store.leases("result")).toEqual([leaseId]);
  });

  test("this process keeps the lease if it goes on with the job itself", async () => {
    const { store, database } = await openJobs(await newDatabase());
    await store.add(newJob("1", { as: "leased" }));
    const next = { share: "test result", as: "leased" } as const;
    expect([await store.passOn(leaseId, result, next), await store.passOn(leaseId, result, next)]).toEqual([
      true,
      true,
    ]);
    expect(await store.leases("test")).toEqual([leaseId]);
    const row = await database.db.selectFrom("job").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ kind: "test", share: "test result", attempt: 1, outcome: "done" });
  });
});
