import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { createReaper } from "./reap-jobs.ts";
import { newJob, openJobs } from "../testing/open-jobs.ts";

const take = [{ share: "test", most: 9 }];

contractOnSameTables("lease expiry in two checks", (newDatabase) => {
  const start = async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
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

  test("jobs of a process that released its lease are ready at the first check", async () => {
    const { here, reaper } = await start();
    await here.lease.stop();
    expect(await reaper.look()).toBe(1);
  });
});
