// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { messageOf, newJob, openJobs } from "../testing/open-jobs.ts";

const end = { outcome: "done", output: "result", own: { score: 7 } };

onBothEngines("the outbox", (newDatabase) => {
  const setUp = async () => {
    const url = await newDatabase();
    return { here: await openJobs(url), there: await openJobs(url) };
  };

  test("has the messages of jobs that were stored or ended, in order, until they have left", async () => {
    const { here } = await setUp();
    await here.store.add(newJob("1", { as: "waiting", message: messageOf("first") }));
    await here.store.add(newJob("2", { as: "leased" }));
    await here.store.end([{ leaseId: { id: "2", attempt: 1 }, end, message: messageOf("second") }]);
    await here.store.outbox.add([messageOf("third"), messageOf("it's \\u0000 {fourth}")]);
    const waiting = await here.store.outbox.next([]);
    const values = waiting.map(({ channel, record, team, value }) => ({ channel, record, team, value }));
    expect(values).toEqual(["first", "second", "third", "it's \\u0000 {fourth}"].map(messageOf));
    expect(await here.store.outbox.next(waiting.slice(0, 2))).toMatchObject([values[2], values[3]]);
    await here.store.outbox.remove(waiting.slice(0, 3));
    expect(await here.store.outbox.next([])).toMatchObject([values[3]]);
    expect(await here.store.outbox.next(waiting)).toEqual([]);
  });

  test("a change that does not take effect leaves no message", async () => {
    const { here, there } = await setUp();
    await here.store.add(newJob("1", { as: "leased" }));
    const ending = { leaseId: { id: "1", attempt: 1 }, end, message: messageOf("lost") };
    expect(await there.store.end([ending])).toEqual([false]);
    expect(await here.store.end([{ ...ending, leaseId: { id: "1", attempt: 2 } }])).toEqual([false]);
    await there.store.add(newJob("1", { as: "waiting", message: messageOf("exists") }));
    expect([await here.store.outbox.next([]), await there.store.outbox.next([])]).toEqual([[], []]);
  });

  test("a process sends its own messages, and takes those of a process that ended", async () => {
    const { here, there } = await setUp();
    await here.store.outbox.add([messageOf("left")]);
    await there.store.outbox.adopt();
    expect(await there.store.outbox.next([])).toEqual([]);
    await here.database.db.deleteFrom("job_worker").where("owner", "=", here.lease.owner).execute();
    await there.store.outbox.adopt();
    expect(await there.store.outbox.next([])).toMatchObject([{ value: '"left"' }]);
    expect(await here.store.outbox.next([])).toEqual([]);
  });

  test("large messages come a few at a time, and one always", async () => {
    const { here } = await setUp();
    const large = "x".repeat(2_500_000);
    await here.store.outbox.add([large, "a", large, "b"].map(messageOf));
    const sizes = async (left: Awaited<ReturnType<typeof here.store.outbox.next>>) => {
      const next = await here.store.outbox.next(left);
      return { next, small: next.map(({ value }) => value.length < 10) };
    };
    const first = await sizes([]);
    expect(first.small).toEqual([false, true, false]);
    expect((await sizes(first.next)).small).toEqual([true]);
  });
});
