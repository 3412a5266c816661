import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { newJob, openJobs } from "../testing/open-jobs.ts";

const end = { outcome: "done", output: "result", own: { score: 7 } };
const leaseId = { id: "1", attempt: 1 };

contractOnSameTables("passing a job on", (newDatabase) => {
  test("another process takes it with the result, and its leases are counted anew", async () => {
    const url = await newDatabase();
    const [here, there] = [await openJobs(url), await openJobs(url)];
    await here.store.add(newJob("1", { as: "leased", input: "asked" }));
    const next = { kind: "result", share: "result", as: "ready", attempt: 0 } as const;
    expect(await there.store.passOn(leaseId, end, next)).toBe(false);
    expect(await here.store.passOn(leaseId, end, next)).toBe(true);
    expect(await here.store.passOn(leaseId, end, next)).toBe(false);
    const [taken] = await there.store.take([{ share: "result", most: 1 }]);
    expect(taken).toMatchObject({ id: "1", kind: "result", attempt: 1, input: null, output: "result", score: 7 });
  });

  test("a repeated call changes nothing, even if this process has leased the job again", async () => {
    const { store } = await openJobs(await newDatabase());
    await store.add(newJob("1", { as: "leased" }));
    const next = { kind: "result", share: "result", as: "ready", attempt: 0 } as const;
    await store.passOn(leaseId, end, next);
    const [again] = await store.take([{ share: "result", most: 1 }]);
    expect(again).toMatchObject(leaseId);
    expect(await store.passOn(leaseId, end, next)).toBe(false);
    expect(await store.leases("result")).toEqual([leaseId]);
  });

  test("this process keeps the lease if it goes on with the job itself", async () => {
    const { store, database } = await openJobs(await newDatabase());
    await store.add(newJob("1", { as: "leased" }));
    const next = { share: "test result", as: "leased" } as const;
    expect([await store.passOn(leaseId, end, next), await store.passOn(leaseId, end, next)]).toEqual([true, true]);
    expect(await store.leases("test")).toEqual([leaseId]);
    const row = await database.db.selectFrom("job").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ kind: "test", share: "test result", attempt: 1, outcome: "done" });
  });
});
