// suite: both
import { type Emit, SealedTextError } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { assert, nat, property, record, string, uniqueArray } from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { newJob, openJobDatabase, openJobs, type OpenJobs, testJobs } from "../testing/open-jobs.ts";
import { createTestKind, type TestKindOptions } from "../testing/test-kind.ts";
import { createRoom, type JobEvent } from "./job-kind.ts";
import { type Arrival, createJobWorker } from "./job-worker.ts";
import { openProcessJobs } from "./process-jobs.ts";
import { Fairness, shareRoom } from "./take-kind.ts";

/** For an arrival that is not stored. */
const never = (): never => {
  throw new Error("it is not stored");
};

onBothEngines("a worker", (newDatabase) => {
  const start = (jobs: OpenJobs, options: TestKindOptions = {}, idleMs = 50) => {
    const failures: unknown[] = [];
    const reports: unknown[] = [];
    const emit: Emit<JobEvent> = (event, ...[fields]) => void reports.push({ event, ...fields });
    const { kind, runs } = createTestKind(jobs.store, options);
    const failed = (_: string, cause: unknown) => void failures.push(cause);
    const worker = createJobWorker({ store: jobs.store, lease: jobs.lease, kind, emit, failed, idleMs });
    onTestFinished(() => worker.stop(0));
    worker.start();
    return { worker, runs, failures, reports };
  };
  /** Stores a job as it arrives in a process. */
  const arrive = async ({ store }: OpenJobs, { worker }: ReturnType<typeof start>, id: string) => {
    const job = { id, attempt: 1, share: "test" };
    const storeAs = async (as: Arrival["as"]) => ({ as, isNew: await store.add(newJob(id, { as })) });
    const { as } = await worker.add("test", storeAs, ({ isNew }) => (isNew ? job : undefined));
    return as;
  };

  test("a job that arrives starts immediately if a slot is free, otherwise when one is", async () => {
    const jobs = await openJobs(await newDatabase());
    const started = start(jobs, { room: 1 });
    const probe = async (): Promise<boolean> => {
      const { as, settle } = started.worker.enter("test", never);
      settle(false);
      return as === "leased";
    };
    await expect.poll(probe).toBe(true);
    expect(await arrive(jobs, started, "1")).toBe("leased");
    expect(started.runs.map(({ id }) => id)).toEqual(["1"]);
    expect(await arrive(jobs, started, "2")).toBe("ready");
    // A later one does not overtake it.
    started.runs[0]?.finish();
    await expect.poll(() => started.runs.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(started.failures).toEqual([]);
  });

  test("each attempt at a job is reported once, by its end or why it was dropped", async () => {
    const jobs = await openJobs(await newDatabase());
    const { worker, runs, reports } = start(jobs);
    await jobs.store.add(newJob("1"));
    await expect.poll(() => runs.length).toBe(1);
    runs[0]?.finish();
    await expect.poll(() => reports.length).toBe(1);
    await jobs.store.add(newJob("2"));
    await expect.poll(() => runs.length).toBe(2);
    await worker.stop(0);
    const of = { kind_of_job: "test", attempt: 1, duration_ms: expect.any(Number) };
    expect(reports).toEqual([
      { event: "job_ended", job_id: "1", outcome: "done", ...of },
      { event: "job_dropped", job_id: "2", outcome: "stopping", ...of },
    ]);
  });

  test("a waiting job starts as soon as a slot is free, well before the next poll for other processes' jobs", async () => {
    const jobs = await openJobs(await newDatabase());
    const started = start(jobs, { room: 1 }, 60_000);
    // Before the first look has ended, older jobs are unknown, so it waits.
    expect(await arrive(jobs, started, "1")).toBe("ready");
    await expect.poll(() => started.runs.length).toBe(1);
    expect(await arrive(jobs, started, "2")).toBe("ready");
    started.runs[0]?.finish();
    await expect.poll(() => started.runs.length).toBe(2);
  });

  test("B3: a share without free slots delays no other, and slots go to the shares in turn", async () => {
    const jobs = await openJobs(await newDatabase());
    for (let n = 0; n < 10; n += 1) await jobs.store.add(newJob(`long${n}`, { share: "test long" }));
    await jobs.store.add(newJob("short", { share: "test short" }));
    const { runs } = start(jobs, { room: 4, free: 3 });
    await expect.poll(() => runs.length).toBe(4);
    expect(runs.map(({ id }) => id).toSorted()).toEqual(["long0", "long1", "long2", "short"]);
    runs[0]?.finish();
    await expect.poll(() => runs.length).toBe(5);
  });

  test("a job that was canceled or taken over elsewhere is dropped, with the reason", async () => {
    const url = await newDatabase();
    const [jobs, other] = [await openJobs(url), await openJobs(url)];
    for (const id of ["canceled", "ended", "taken"]) await jobs.store.add(newJob(id));
    const { runs, worker } = start(jobs);
    await expect.poll(() => runs.length).toBe(3);
    await other.store.endOpen("canceled", { outcome: "canceled", output: null });
    // Simulates another process that took it over.
    await other.store.endOpen("ended", { outcome: "done", output: null });
    await other.database.db.updateTable("job").set({ owner: "other" }).where("id", "=", "taken").execute();
    const reasons = () => Object.fromEntries(runs.map(({ id, droppedFor }) => [id, droppedFor]));
    await expect.poll(reasons).toEqual({ canceled: "canceled", ended: "taken_over", taken: "taken_over" });
    await expect.poll(() => worker.running()).toBe(0);
  });

  test("a stop lets jobs end within the grace period and releases the others without counting an attempt", async () => {
    const url = await newDatabase();
    const [jobs, other] = [await openJobs(url), await openJobs(url)];
    for (const id of ["ends", "stays"]) await jobs.store.add(newJob(id));
    const { runs, worker } = start(jobs);
    await expect.poll(() => runs.length).toBe(2);
    const stopped = worker.stop(300);
    runs.find(({ id }) => id === "ends")?.finish();
    await stopped;
    expect(runs.find(({ id }) => id === "stays")?.droppedFor).toBe("stopping");
    expect(await other.store.take([{ share: "test", most: 9 }])).toMatchObject([{ id: "stays", attempt: 1 }]);
    await jobs.store.add(newJob("late"));
    expect(worker.enter("test", never).as).toBe("ready");
  });

  test("a note sets own columns while the job is leased, and nothing once it is lost", async () => {
    const url = await newDatabase();
    const [jobs, other] = [await openJobs(url), await openJobs(url)];
    await jobs.store.add(newJob("1"));
    const { runs, worker } = start(jobs);
    await expect.poll(() => runs[0]?.note({ note: "first" })).toBe(true);
    await worker.stop(0);
    expect(await other.store.take([{ share: "test", most: 1 }])).toMatchObject([{ note: "first" }]);
    expect(await runs[0]?.note({ note: "second" })).toBe(false);
  });

  test("a failed operation of the store is an event, if the kind doesn't report it itself", async () => {
    const database = await openJobDatabase(await newDatabase());
    const emit = vi.fn<(event: string, fields?: unknown) => void>();
    const jobs = openProcessJobs({ database, schema: testJobs, leaseMs: 10_000, emit });
    const cause = new Error("away");
    vi.spyOn(jobs.store, "waitingShares").mockRejectedValueOnce(cause);
    const worker = jobs.workOn(createTestKind(jobs.store).kind);
    onTestFinished(async () => {
      await worker.stop(0);
      await jobs.stop();
      await database.close();
    });
    await jobs.start();
    worker.start();
    const fields = { kind_of_job: "test", operation: "take", cause };
    await expect.poll(() => emit.mock.calls).toEqual([["job_store_failed", fields]]);
    expect(jobs.running()).toEqual(new Map([["test", 0]]));
  });

  test("an outage while a parent stores its child is an event; the parent gets the result of the child, wherever it ended", async () => {
    const url = await newDatabase();
    const other = await openJobs(url);
    const database = await openJobDatabase(url);
    const emit = vi.fn<(event: string, fields?: unknown) => void>();
    const jobs = openProcessJobs({ database, schema: testJobs, leaseMs: 10_000, emit });
    await jobs.start();
    onTestFinished(async () => {
      await jobs.stop();
      await database.close();
    });
    const cause = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    const enter = vi.fn<() => Promise<boolean>>(() => jobs.store.add(newJob("1"))).mockRejectedValueOnce(cause);
    const child = { id: "1", kind: "test", enter, read: (output: string) => `read ${output}` };
    const result = jobs.child(child, new AbortController().signal);
    await expect.poll(() => other.store.find("1")).toBeDefined();
    await other.store.endOpen("1", { outcome: "done", output: "out" });
    expect(await result).toBe("read out");
    const fields = { kind_of_job: "test", operation: "send", cause };
    expect(emit.mock.calls).toEqual([["job_store_failed", fields]]);
  });

  test("a job that only waits is released before the grace period", async () => {
    const url = await newDatabase();
    const [jobs, other] = [await openJobs(url), await openJobs(url)];
    await jobs.store.add(newJob("waits"));
    const { runs, worker } = start(jobs, { onlyWaits: true });
    await expect.poll(() => runs.length).toBe(1);
    await worker.stop(60_000);
    expect(await other.store.take([{ share: "test", most: 9 }])).toHaveLength(1);
  });

  test.each(["read", "run"] as const)(
    "O31: a job whose key is missing (%s) costs no attempt, and another process ends it",
    async (where) => {
      const url = await newDatabase();
      const [jobs, other] = [await openJobs(url), await openJobs(url)];
      const { kind } = createTestKind(jobs.store, {});
      const missing = vi.fn<() => never>(() => {
        throw new SealedTextError("unknown_key", "k2");
      });
      const failed = vi.fn<() => void>();
      const blind = where === "read" ? { ...kind, read: missing } : { ...kind, run: async () => missing() };
      const worker = createJobWorker({ store: jobs.store, lease: jobs.lease, kind: blind, failed, idleMs: 500 });
      onTestFinished(() => worker.stop(0));
      worker.start();
      await jobs.store.add(newJob("1"));
      await expect.poll(() => missing.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(1);
      // Both look for a job that is left again: the one that looks more often gets it soon.
      const { runs } = start(other, {}, 10);
      await expect.poll(() => runs.map(({ id, attempt }) => [id, attempt]), { timeout: 30_000 }).toEqual([["1", 1]]);
      expect(failed).not.toHaveBeenCalled();
    },
  );

  test("a process that was declared dead releases everything", async () => {
    const jobs = await openJobs(await newDatabase());
    await jobs.store.add(newJob("1"));
    const { runs, worker } = start(jobs);
    await expect.poll(() => runs.length).toBe(1);
    worker.lose();
    expect(runs[0]?.droppedFor).toBe("taken_over");
    await expect.poll(() => worker.running()).toBe(0);
  });
});

describe("fairness", () => {
  test("B3: no share is next before the first look at the queue, or while the process lacks slots", () => {
    const fairness = new Fairness();
    expect(fairness.isNext("A", 1, 1)).toBe(false);
    const look = fairness.look();
    expect(fairness.isNext("A", 1, 1)).toBe(false);
    look.found([]);
    expect(fairness.isNext("A", 1, 1)).toBe(true);
    fairness.look().noRoom();
    expect(fairness.isNext("A", 1, 1)).toBe(false);
  });

  test("B3: a share with waiting calls is not next, and does not block the other shares", () => {
    const fairness = new Fairness();
    fairness.look().found(["A"]);
    expect([fairness.isNext("A", 1, 1), fairness.isNext("B", 1, 1)]).toEqual([false, true]);
    fairness.look().found([]);
    expect(fairness.isNext("A", 1, 1)).toBe(true);
  });

  test("B3: a call that is being stored counts as waiting until a look that began after it was stored", () => {
    const fairness = new Fairness();
    const early = fairness.look();
    early.found([]);
    const [first, second] = [fairness.queue("A"), fairness.queue("A")];
    fairness.look().found([]);
    expect(fairness.isNext("A", 1, 1)).toBe(false);
    first();
    fairness.look().found([]);
    expect(fairness.isNext("A", 1, 1)).toBe(false);
    const during = fairness.look();
    second();
    during.found([]);
    expect(fairness.isNext("A", 1, 1)).toBe(false);
    const after = fairness.look();
    expect(fairness.isNext("A", 1, 1)).toBe(false);
    after.found([]);
    expect(fairness.isNext("A", 1, 1)).toBe(true);
  });

  test("a job starts on arrival if slots are free for it and all older ones, even while these are being read", () => {
    const fairness = new Fairness();
    fairness.look().found([]);
    fairness.queue("A")();
    expect([fairness.isNext("A", 1, 9), fairness.isNext("A", 2, 1), fairness.isNext("A", 2, 2)]).toEqual([
      false,
      false,
      true,
    ]);
    const look = fairness.look();
    fairness.queue("A");
    expect([fairness.isNext("A", 2, 9), fairness.isNext("A", 3, 9)]).toEqual([false, true]);
    look.found([]);
    expect([fairness.isNext("A", 1, 9), fairness.isNext("A", 2, 9)]).toEqual([false, true]);
    look.found(["A"]);
    expect(fairness.isNext("A", 99, 99)).toBe(false);
  });

  test("all usable slots are distributed; no share exceeds its limit or lags behind another by two", () => {
    const seats = uniqueArray(record({ share: string(), free: nat(20) }), { selector: ({ share }) => share });
    assert(
      property(nat(100), seats, (room, all) => {
        const shares = new Map(shareRoom(room, all).map(({ share, most }) => [share, most]));
        const got = all.map(({ share, free }) => ({ free, most: shares.get(share) ?? 0 }));
        const sum = got.reduce((total, { most }) => total + most, 0);
        expect(sum).toBe(
          Math.min(
            room,
            all.reduce((total, { free }) => total + free, 0),
          ),
        );
        for (const { most, free } of got) expect(most).toBeLessThanOrEqual(free);
        const hungry = got.filter(({ most, free }) => most < free).map(({ most }) => most);
        const top = Math.max(0, ...got.map(({ most }) => most));
        for (const most of hungry) expect(top - most).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test("X17: a share has its part of the room, and shares of one group have theirs together", () => {
  const { free, reserve, room } = createRoom(20, { ofShare: 2, ofGroup: 10 });
  const taken = Array.from({ length: 7 }, (_, n) => [reserve(`kind a.${n}`), reserve(`kind a.${n}`)]).flat();
  expect(taken.filter((one) => one !== undefined)).toHaveLength(10);
  expect([free("kind a.0"), free("kind a.9"), free("kind b.0"), free("kind"), room()]).toEqual([0, 0, 2, 2, 10]);
  taken[0]?.();
  taken[0]?.();
  expect([free("kind a.0"), free("kind a.9"), room()]).toEqual([1, 1, 11]);
});
