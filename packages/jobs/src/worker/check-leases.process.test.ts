import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createJobWorker } from "./create-job-worker.ts";
import { newJob, openJobs } from "../testing/open-jobs.ts";
import { createTestKind } from "../testing/test-kind.ts";

onBothEngines("a job that is leased by a process that does not know it", (newDatabase) => {
  test("N5: is taken again after its commit response was lost; running jobs are not touched", async () => {
    const jobs = await openJobs(await newDatabase(), { leaseMs: 3_000 });
    const { kind, runs } = createTestKind(jobs.store);
    const observer = { storeFailed: () => undefined };
    const worker = createJobWorker({ store: jobs.store, lease: jobs.lease, kind, observer });
    onTestFinished(() => worker.stop(0));
    worker.start();
    await jobs.store.add(newJob("stored", { as: "leased" }));
    await jobs.store.add(newJob("of another kind", { as: "leased", share: "other" }));
    await expect.poll(() => runs.map(({ id, attempt }) => [id, attempt]), { timeout: 10_000 }).toEqual([["stored", 1]]);
    const until = performance.now() + 2_500;
    await expect.poll(() => performance.now() > until, { timeout: 5_000 }).toBe(true);
    expect([runs.length, worker.running()]).toEqual([1, 1]);
  });
});
