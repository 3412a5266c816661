// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
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

onBothEngines("jobs that something outside may end", (newDatabase, engine) => {
  const setUp = async () => {
    const url = await newDatabase();
    return { here: await openJobs(url), there: await openJobs(url) };
  };

  test("an arriving job takes over the one that waits for it, with its input and lease; a job elsewhere is left alone", async () => {
    const { here, there } = await setUp();
    const takeOver = (...ids: string[]) =>
      there.store.outside.takeOver(
        ids.map((id) => newJob(id, { as: "leased", share: "work", input: "new", own: { note: "new", score: 2 } })),
        [],
      );
    await here.store.add(newJob("1", { as: "waiting", share: "out", parent: "mine", own: { note: "old" } }));
    expect(await takeOver("1", "2")).toEqual([true, true]);
    const taken = {
      share: "work",
      state: 1,
      owner: there.lease.owner,
      attempt: 1,
      input: "new",
      note: "new",
      score: 2,
    };
    expect(await rowOf(there)).toMatchObject({ ...taken, parent: "mine" });
    expect(await rowOf(there, "2")).toMatchObject({ ...taken, parent: null });
    expect(await takeOver("1", "3", "3")).toEqual([false, true, false]);
    await setEnded(here, "done");
    expect(await takeOver("1")).toEqual([false]);
  });

  test("what arrives and the statements with it are stored together, or not at all", async () => {
    const { here } = await setUp();
    const { db } = here.database;
    const remove = db.deleteFrom("job").where("id", "=", "old").compile();
    const broken = { ...remove, sql: "delete from nothing_here" };
    await here.store.add(newJob("old"));
    await expect(here.store.outside.takeOver([newJob("1")], [remove, broken])).rejects.toThrow(/nothing_here/);
    await expect(here.store.outside.takeOver([], [remove, broken])).rejects.toThrow(/nothing_here/);
    expect([await rowOf(here), await rowOf(here, "old")]).toMatchObject([undefined, { id: "old" }]);
    await here.store.outside.takeOver([newJob("1")], [remove]);
    expect([await rowOf(here), await rowOf(here, "old")]).toMatchObject([{ id: "1" }, undefined]);
  });

  test("an end from outside ends a job that waits, once; one that is leased is left alone", async () => {
    const { here, there } = await setUp();
    const ending = (...ids: string[]) =>
      there.store.outside.end(
        ids.map((id) => ({ id, end, notifies: false })),
        [],
      );
    await here.store.add(newJob("1", { as: "waiting", input: "asked", own: { note: "n" } }));
    await here.store.add(newJob("2", { as: "leased" }));
    expect(await ending("1", "2", "none")).toEqual([true, false, false]);
    const ended = { state: 4, owner: null, outcome: "done", output: "result", input: null, note: null, score: 7 };
    expect(await rowOf(here)).toMatchObject(ended);
    expect(await rowOf(here, "2")).toMatchObject({ state: 1, output: null });
    expect(await ending("1")).toEqual([false]);
  });

  test("the process that waits for such an end is notified, even if the job had ended", async () => {
    const { here, there } = await setUp();
    const told = new Set<string | undefined>();
    const events = createJobEvents(there.database);
    events.onEnded((id) => told.add(id));
    await events.start();
    onTestFinished(() => events.stop());
    told.clear();
    await here.store.add(newJob("open", { as: "waiting" }));
    await here.store.add(newJob("silent", { as: "waiting" }));
    const ends = [
      ["open", true],
      ["silent", false],
      ["ended", true],
    ] as const;
    await here.store.outside.end(
      ends.map(([id, notifies]) => ({ id, end, notifies })),
      [],
    );
    const expected = new Set(engine === "postgres" ? ["ended", "open"] : [undefined]);
    await expect.poll(() => told).toEqual(expected);
  });

  test.each([
    { found: "waits", state: 3, isTurned: true },
    { found: "ended here, and its result comes back", state: 4, output: "result", isTurned: true },
    { found: "was dropped", state: 4, isTurned: false },
    { found: "is worked on", state: 1, isTurned: false },
  ])("the result of a job that $found becomes other work: $isTurned", async ({ state, output = null, isTurned }) => {
    const { here, there } = await setUp();
    await here.store.add(newJob("1", { as: "waiting", input: "asked" }));
    await here.database.db
      .updateTable("job")
      .set({ state: state as 3, output, outcome: "done" })
      .execute();
    const turn = (as: "leased" | "ready") => there.store.outside.turn("test", [{ id: "1", end, kind: "next", as }], []);
    expect(await turn("leased")).toEqual([isTurned]);
    if (!isTurned) return;
    const turned = { kind: "next", share: "next", state: 1, owner: there.lease.owner, attempt: 1, output: "result" };
    expect(await rowOf(here)).toMatchObject({ ...turned, input: null, score: 7 });
    // The same result again.
    expect(await turn("ready")).toEqual([false]);
    expect(await there.store.end([{ leaseId, end }])).toEqual([true]);
  });

  test("an end that arrives before its job is stored, and one for a job that waits ends it", async () => {
    const { here } = await setUp();
    const job = { id: "1", kind: "test", share: "test", record: '"end"', team: null, own: { note: "end" } };
    const add = (id: string) =>
      here.database.transaction((within) =>
        here.store.outside.addEnded({ end, anywhere: false, job: { ...job, id } }, within),
      );
    expect(await add("1")).toEqual({ record: '"end"', waited_ms: 0 });
    const stored = { state: 4, owner: null, outcome: "done", output: "result", score: 7, input: null };
    expect(await rowOf(here)).toMatchObject({ ...stored, note: "end" });
    await here.store.add(newJob("2", { as: "waiting", record: '"job"', input: "asked" }));
    expect(await add("2")).toMatchObject({ record: '"job"' });
    expect(await rowOf(here, "2")).toMatchObject({ ...stored, note: null });
  });

  test.each([
    { found: "waits", state: 3, near: true, far: true },
    { found: "is leased", state: 1, near: false, far: true },
    { found: "is of another kind", state: 1, kind: "other", near: false, far: false },
    { found: "ended alike", state: 4, outcome: "done", near: false, far: true },
    { found: "ended otherwise", state: 4, outcome: "other", near: false, far: false },
    { found: "has its output", state: 4, outcome: "done", output: "result", near: false, far: false },
  ])("an end that arrives for a job that $found ends it: $near, anywhere: $far", async (case_) => {
    const { here } = await setUp();
    const { state, kind = "test", outcome = null, output = null } = case_;
    const job = { id: "1", kind: "test", share: "test", record: "{}" };
    for (const [anywhere, isEnded] of [
      [false, case_.near],
      [true, case_.far],
    ] as const) {
      await here.database.db.deleteFrom("job").execute();
      await here.store.add(newJob("1", { as: "leased", kind }));
      await here.database.db
        .updateTable("job")
        .set({ state: state as 3, outcome, output })
        .execute();
      const ended = await here.database.transaction((within) =>
        here.store.outside.addEnded({ job, end, anywhere }, within),
      );
      expect(ended !== undefined).toBe(isEnded);
    }
  });

  test("jobs that have waited too long after their deadline end, some at a time", async () => {
    const { here } = await setUp();
    const late = { as: "waiting", share: "out", deadlineMs: -2_000 } as const;
    const jobs = {
      "of a kind": { ...late, kind: "other" },
      late,
      "late too": late,
      "in time": { ...late, deadlineMs: 0 },
      timeless: { as: "waiting", share: "out" },
      leased: { ...late, as: "leased" },
    } as const;
    for (const [id, job] of Object.entries(jobs)) await here.store.add(newJob(id, job));
    const overdue = { kind: "test", end: { outcome: "late", output: null }, graceMs: 1_000, most: 1 };
    for (const count of [1, 1, 0]) expect(await here.store.outside.endOverdue(overdue)).toBe(count);
    const ended = await here.database.db.selectFrom("job").select("id").where("outcome", "=", "late").execute();
    expect(ended.map(({ id }) => id).toSorted()).toEqual(["late", "late too"]);
  });

  test("only the lessee deletes a job without a lane", async () => {
    const { here, there } = await setUp();
    await here.store.add(newJob("1", { as: "leased" }));
    expect(await there.store.lanes.remove(leaseId)).toBe(false);
    expect(await here.store.lanes.remove({ id: "1", attempt: 2 })).toBe(false);
    expect(await here.store.find("1")).toEqual({ state: 1, attempt: 1, record: "{}", outcome: null, output: null });
    expect(await here.store.lanes.remove(leaseId)).toBe(true);
    expect(await here.store.find("1")).toBeUndefined();
  });
});
