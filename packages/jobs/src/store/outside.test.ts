import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createJobEvents } from "../table/job-events.ts";
import { newJob, type OpenJobs, openJobs } from "../testing/open-jobs.ts";

const end = { outcome: "done", output: "result", own: { score: 7 } };
const leaseId = { id: "1", attempt: 1 };

const rowOf = ({ database }: OpenJobs, id = "1") =>
  database.db.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirst();

/** Ends a job behind the store's back. */
const setEnded = ({ database }: OpenJobs, outcome: string, output: string | null = null) =>
  database.db.updateTable("job").set({ state: 4, outcome, output, ended_at: 5 }).execute();

contractOnSameTables("jobs that something outside may end", (newDatabase, engine) => {
  const setUp = async () => {
    const url = await newDatabase();
    return { here: await openJobs(url), there: await openJobs(url) };
  };

  test("an arriving job takes over the one that waits for it, with its lease; a job elsewhere is left alone", async () => {
    const { here, there } = await setUp();
    const share = "it's out";
    const takeOver = there.store.outside.takingOver({ share, own: ["note"] });
    const arriving = newJob("1", { as: "leased", share: "work", input: "new", own: { note: "new", score: 2 } });
    await here.store.add(newJob("1", { as: "leased", share, input: "old", own: { note: "old", score: 1 } }));
    expect(await Promise.all([takeOver(arriving), takeOver({ ...arriving, id: "2" })])).toEqual([true, true]);
    const taken = {
      share: "work",
      state: 1,
      owner: there.lease.owner,
      attempt: 1,
      input: "old",
      note: "new",
      score: 1,
    };
    expect(await rowOf(there)).toMatchObject(taken);
    expect(await rowOf(there, "2")).toMatchObject({ ...taken, input: "new", score: 2 });
    expect(await takeOver(arriving)).toBe(false);
    expect(await here.store.end([{ leaseId, end }])).toEqual([false]);
    await here.database.db.updateTable("job").set({ share }).execute();
    await setEnded(here, "done");
    expect(await takeOver(arriving)).toBe(false);
  });

  test("a settled job waits, or keeps the end that it was passed on with; one that was taken over does neither", async () => {
    const { here, there } = await setUp();
    const [waiting, ended] = [{ share: "out", as: "waiting" } as const, { share: "result", as: "ended" } as const];
    await here.store.add(newJob("1", { as: "leased", share: "out" }));
    expect(await there.store.outside.settle(leaseId, waiting)).toBe(false);
    expect(await here.store.outside.settle({ id: "1", attempt: 2 }, waiting)).toBe(false);
    expect(await here.store.outside.settle(leaseId, ended)).toBe(false);
    expect(await here.store.outside.settle(leaseId, waiting)).toBe(true);
    expect(await rowOf(here)).toMatchObject({ state: 3, owner: null });
    expect(await here.store.outside.settle(leaseId, waiting)).toBe(false);
    await here.store.add(newJob("2", { as: "leased" }));
    await here.store.passOn({ id: "2", attempt: 1 }, end, { share: "result", as: "leased" });
    expect(await here.store.outside.settle({ id: "2", attempt: 1 }, ended)).toBe(true);
    expect(await rowOf(here, "2")).toMatchObject({ state: 4, owner: here.lease.owner, outcome: "done", score: 7 });
  });

  test("an end from outside ends a job of its shares once, whoever has leased it", async () => {
    const { here, there } = await setUp();
    const ending = (id: string, ...shares: [string, string?]) =>
      there.store.outside.end(id, end, { shares, notifies: false });
    await here.store.add(newJob("1", { as: "leased", share: "out", input: "asked", own: { note: "n" } }));
    await here.store.add(newJob("2", { as: "leased" }));
    await here.store.passOn({ id: "2", attempt: 1 }, end, { share: "result", as: "leased" });
    await here.database.db.updateTable("job").set({ ended_at: 5 }).where("id", "=", "2").execute();
    expect([await ending("1", "other"), await ending("2", "out"), await ending("none", "out")]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await Promise.all([ending("1", "out"), ending("2", "out", "result")])).toEqual([true, true]);
    const ended = { state: 4, owner: null, outcome: "done", output: "result", input: null, note: null, score: 7 };
    expect(await rowOf(here)).toMatchObject(ended);
    expect(await rowOf(here, "2")).toMatchObject({ state: 4, ended_at: 5 });
    expect(await ending("1", "out")).toBe(false);
  });

  test("the process that waits for such an end is notified, even if the job had ended", async () => {
    const { here, there } = await setUp();
    const told = new Set<string | undefined>();
    const events = createJobEvents(there.database);
    events.onEnded((id) => told.add(id));
    await events.start();
    onTestFinished(() => events.stop());
    told.clear();
    await here.store.add(newJob("open", { as: "waiting", share: "out" }));
    await here.store.add(newJob("silent", { as: "waiting", share: "out" }));
    const ends = [
      ["open", true],
      ["silent", false],
      ["ended", true],
    ] as const;
    await Promise.all(ends.map(([id, notifies]) => here.store.outside.end(id, end, { shares: ["out"], notifies })));
    const expected = new Set(engine === "postgres" ? ["ended", "open"] : [undefined]);
    await expect.poll(() => told).toEqual(expected);
  });

  test("an end that arrives before its job is stored, and one for a job that waits ends it, with a lease of its own", async () => {
    const { here, there } = await setUp();
    const added = { end, insteadOf: "out", anywhere: false } as const;
    const job = { id: "1", kind: "test", share: "result", record: '"end"', team: null, own: { note: "end" } };
    const first = await there.store.outside.addEnded({ ...added, job, as: "leased" });
    expect(first).toEqual({ ...leaseId, record: '"end"', waited_ms: 0 });
    const stored = { share: "result", outcome: "done", output: "result", score: 7, input: null };
    expect(await rowOf(here)).toMatchObject({ ...stored, state: 1, owner: there.lease.owner, note: "end" });
    await here.store.add(newJob("2", { as: "leased", share: "out", record: '"job"', input: "asked" }));
    const second = await there.store.outside.addEnded({ ...added, job: { ...job, id: "2" }, as: "ready" });
    expect(second).toMatchObject({ id: "2", attempt: 2, record: '"job"' });
    expect(await rowOf(here, "2")).toMatchObject({ ...stored, state: 0, owner: null, note: null });
    expect(await here.store.end([{ leaseId: { id: "2", attempt: 1 }, end }])).toEqual([false]);
  });

  test.each([
    { share: "out", near: true, far: true },
    { share: "work", near: false, far: true },
    { share: "result", near: false, far: false },
    { share: "out", outcome: "done", near: false, far: true },
    { share: "out", outcome: "other", near: false, far: false },
    { share: "out", outcome: "done", output: "result", near: false, far: false },
  ])("an end that arrives for $share $outcome $output ends it: $near, anywhere: $far", async (found) => {
    const { here } = await setUp();
    const job = { id: "1", kind: "test", share: "result", record: "{}" };
    for (const [anywhere, isEnded] of [
      [false, found.near],
      [true, found.far],
    ] as const) {
      await here.database.db.deleteFrom("job").execute();
      await here.store.add(newJob("1", { as: "leased", share: found.share }));
      if (found.outcome !== undefined) await setEnded(here, found.outcome, found.output);
      const ended = await here.store.outside.addEnded({ job, end, as: "ready", insteadOf: "out", anywhere });
      expect(ended !== undefined).toBe(isEnded);
    }
  });

  test("jobs that have waited too long after their deadline end, some at a time", async () => {
    const { here } = await setUp();
    const late = { as: "waiting", share: "out", deadlineMs: -2_000 } as const;
    const jobs = {
      "of a share": { ...late, share: "work" },
      "of a kind": { ...late, kind: "other" },
      late,
      "late too": late,
      "in time": { ...late, deadlineMs: 0 },
      timeless: { as: "waiting", share: "out" },
      leased: { ...late, as: "leased" },
    } as const;
    for (const [id, job] of Object.entries(jobs)) await here.store.add(newJob(id, job));
    const overdue = { kind: "test", share: "out", end: { outcome: "late", output: null }, graceMs: 1_000, most: 1 };
    for (const count of [1, 1, 0]) expect(await here.store.outside.endOverdue(overdue)).toBe(count);
    const ended = await here.database.db.selectFrom("job").select("id").where("outcome", "=", "late").execute();
    expect(ended.map(({ id }) => id).toSorted()).toEqual(["late", "late too"]);
  });

  test("only the lessee deletes a job without a lane", async () => {
    const { here, there } = await setUp();
    await here.store.add(newJob("1", { as: "leased" }));
    expect(await there.store.lanes.remove(leaseId)).toBe(false);
    expect(await here.store.lanes.remove({ id: "1", attempt: 2 })).toBe(false);
    expect(await here.store.find("1")).toEqual({ state: 1, record: "{}", outcome: null, output: null });
    expect(await here.store.lanes.remove(leaseId)).toBe(true);
    expect(await here.store.find("1")).toBeUndefined();
  });
});
