import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newJob, openJobs } from "../testing/open-jobs.ts";

const leaseMs = 1_500;

onBothEngines("paused processes", (newDatabase) => {
  test("B5: that all pause for longer than a lease, like a suspended machine, keep their jobs", async () => {
    const url = await newDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => openJobs(url, { leaseMs })));
    await Promise.all(all.map(({ store }, id) => store.add(newJob(`${id}`, { as: "leased" }))));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * leaseMs);
    expect(all.map(({ lease }) => lease.isOver())).toEqual(all.map(() => true));
    await expect.poll(() => all.some(({ lease }) => lease.isOver()), { timeout: 10_000 }).toBe(false);
    const end = { outcome: "done", output: null };
    const ended = all.map(({ store }, id) => store.end([{ leaseId: { id: `${id}`, attempt: 1 }, end }]));
    expect((await Promise.all(ended)).flat()).toEqual(all.map(() => true));
  });
});
