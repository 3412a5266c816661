import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createJobWorker } from "./create-job-worker.ts";
import { newJob, openJobs, type OpenJobs } from "../testing/open-jobs.ts";
import { createTestKind, type TestKindOptions } from "../testing/test-kind.ts";

onBothEngines("a worker", (newDatabase) => {
  const start = (jobs: OpenJobs, options: TestKindOptions = {}, idleMs = 50) => {
    const failures: unknown[] = [];
    const { kind, runs, begin } = createTestKind(jobs.store, options);
    const observer = { storeFailed: (_: string, cause: unknown) => void failures.push(cause) };
    const worker = createJobWorker({ store: jobs.store, lease: jobs.lease, kind, observer, idleMs });
    onTestFinished(() => worker.stop(0));
    worker.start();
    return { worker, runs, begin, failures };
  };
  /** Stores a job as it arrives in a process. */
  const arrive = async ({ store }: OpenJobs, { worker, begin }: ReturnType<typeof start>, id: string) => {
    const entry = worker.enter("test");
    if (await store.add(newJob(id, { as: entry.as }))) entry.stored({ id, attempt: 1 }, begin(id, "test"));
    else entry.notStored();
    return entry.as;
  };

  test("a job that arrives starts immediately if a slot is free, otherwise when one is", async () => {
    const jobs = await openJobs(await newDatabase());
    const started = start(jobs, { room: 1 });
    const probe = async (): Promise<boolean> => {
      const entry = started.worker.enter("test");
      entry.notStored();
      return entry.as === "leased";
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

  test("a waiting job starts as soon as a slot is free, well before the next poll for other processes' jobs", async () => {
    const jobs = await openJobs(await newDatabase());
    const started = start(jobs, { room: 1 }, 60_000);
    // Before the first look has ended, older jobs are unknown, so it waits.
    expect(await arrive(jobs, started, "1")).toBe("ready");
    await expect.poll(() => started.runs.length, { timeout: 5_000 }).toBe(1);
    expect(await arrive(jobs, started, "2")).toBe("ready");
    started.runs[0]?.finish();
    await expect.poll(() => started.runs.length, { timeout: 5_000 }).toBe(2);
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
    expect(worker.enter("test").as).toBe("ready");
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
