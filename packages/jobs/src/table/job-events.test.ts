// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createJobEvents } from "./job-events.ts";
import { newJob, openJobs } from "../testing/open-jobs.ts";

onBothEngines("job events", (newDatabase, engine) => {
  const listening = async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    const events = createJobEvents(there.database);
    const [ready, ended]: [unknown[], unknown[]] = [[], []];
    events.onReady((share) => ready.push(share));
    events.onEnded((id) => ended.push(id));
    await events.start();
    onTestFinished(() => events.stop());
    [ready.length, ended.length] = [0, 0];
    return { here, there, ready, ended, heard: (): readonly unknown[] => ended };
  };
  // SQLite reports only that something was written.
  const named = (name: string): unknown => (engine === "postgres" ? name : undefined);

  test("notify other processes of a ready job, not of a leased one", async () => {
    const { here, ready } = await listening();
    await here.store.add(newJob("1", { as: "leased" }));
    await here.store.add(newJob("2", { share: "test a" }));
    await expect.poll(() => ready).toContainEqual(named("test a"));
    expect(ready.every((share) => share === named("test a"))).toBe(true);
    await here.store.release([{ id: "1", attempt: 1 }], { counted: true });
    await expect.poll(() => ready).toContainEqual(named("test"));
  });

  test("notify another process of an end that it waits for", async () => {
    const { here, ended } = await listening();
    for (const id of ["1", "2", "3"]) await here.store.add(newJob(id, { as: "leased" }));
    const end = { outcome: "done", output: null };
    await here.store.end([
      { leaseId: { id: "1", attempt: 1 }, end },
      { leaseId: { id: "2", attempt: 1 }, end, notifies: true },
    ]);
    await expect.poll(() => ended).toContainEqual(named("2"));
    expect(ended.every((id) => id === named("2"))).toBe(true);
  });

  test("notify another process of a cancellation", async () => {
    const { here, there, heard } = await listening();
    await there.store.add(newJob("1", { as: "leased" }));
    await here.store.endOpen("1", { outcome: "canceled", output: null });
    await expect.poll(heard).toContainEqual(named("1"));
  });
});
