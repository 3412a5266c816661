import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { questionRecord } from "../testing/question-record.ts";
import { leaseMs, startInboxBench as start, type InboxBench } from "../testing/inbox-bench.ts";
import { openInbox, takeOne, untilIdle } from "../testing/take-one.ts";
import { LeaseLostError } from "./endings.ts";
import { taken } from "./inbox.contract.ts";

describe("a lease that is renewed", () => {
  test("is renewed for as long as the work takes", async () => {
    const { inbox, other, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    await openInbox(other);
    const worker = work(async () => delay(2.5 * leaseMs));
    await vi.waitFor(() => expect(worker.running()).toBe(1));
    await delay(1.7 * leaseMs);
    expect(await takeOne(other, "ask")).toBeUndefined();
    await untilIdle(inbox, worker);
    expect(ended).toEqual([["done", "1", 1]]);
  });
});

describe("a lease that is lost", () => {
  /** Works on a record until its lease is lost; resolves with the reason. */
  async function losing(
    lose: (bench: InboxBench) => Promise<void>,
  ): Promise<{ readonly reason: unknown; readonly bench: InboxBench }> {
    const bench = await start();
    await bench.inbox.accept(questionRecord({ request_id: "1" }));
    const [begun, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    bench.work(async ({ attempt }, lease) => {
      if (attempt > 1) return;
      begun.resolve();
      await delay(60_000, undefined, { signal: lease }).catch(() => lost.resolve(lease.reason));
      throw new Error("what the work makes of it");
    });
    await begun.promise;
    await lose(bench);
    return { reason: await lost.promise, bench };
  }

  test("aborts the work when another process has the record, and ends without further writes here", async () => {
    const { reason, bench } = await losing(async ({ database }) => {
      await database.db.updateTable("job").set({ owner: "another", attempt: 2 }).execute();
    });
    expect(reason).toBeInstanceOf(LeaseLostError);
    expect(bench.ended).toEqual([["lost", "1", 1]]);
  });

  test("aborts all work when this process was declared dead; the process continues under another name", async () => {
    const { reason, bench } = await losing(async ({ database }) => {
      await database.db.deleteFrom("job_worker").execute();
    });
    expect(reason).toBeInstanceOf(LeaseLostError);
    await vi.waitFor(
      () =>
        expect(bench.ended).toEqual([
          ["lost", "1", 1],
          ["done", "1", 2],
        ]),
      { timeout: 5_000 },
    );
  });

  test("aborts the work before another process can lease the record, when the inbox is unreachable", async () => {
    const { reason, bench } = await losing(async ({ cutOff }) => cutOff(true));
    expect(reason).toBeInstanceOf(LeaseLostError);
    const { alive_until } = await bench.database.db
      .selectFrom("job_worker")
      .select("alive_until")
      .executeTakeFirstOrThrow();
    expect(alive_until).toBeGreaterThan(Date.now());
    expect(bench.inbox.isLeaseOver()).toBe(true);
    bench.cutOff(false);
    await vi.waitFor(
      () =>
        expect(bench.ended).toEqual([
          ["lost", "1", 1],
          ["done", "1", 2],
        ]),
      { timeout: 8_000 },
    );
  });
});

describe("an unavailable inbox", () => {
  test("gets a record back that it returned too late", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    const real = { ...inbox.jobs };
    vi.spyOn(inbox.jobs, "take").mockImplementationOnce(async (wanted) => {
      const late = await real.take(wanted);
      await delay(leaseMs / 2);
      return late;
    });
    work(async () => undefined);
    await vi.waitFor(() => expect(ended).toEqual([["done", "1", 2]]), { timeout: 3_000 });
  });

  test("whose response with a record was lost returns the record again after a while", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    const real = { ...inbox.jobs };
    vi.spyOn(inbox.jobs, "take").mockImplementationOnce(async (wanted) => {
      await real.take(wanted);
      throw new Error("connection lost");
    });
    work(async () => undefined);
    await vi.waitFor(() => expect(ended).toEqual([["done", "1", 2]]), { timeout: 5_000 });
  });

  test("whose response to `accept` was lost starts the record when it is accepted again", async () => {
    const { inbox, work, ended, loseAnswer } = await start();
    work(async () => undefined);
    const record = questionRecord({ request_id: "1" });
    await vi.waitFor(() => expect(inbox.isLeaseOver()).toBe(false));
    loseAnswer();
    await expect(inbox.accept(record)).rejects.toThrow("connection lost");
    expect(await inbox.accept(record)).toBe("accepted");
    await vi.waitFor(() => expect(ended).toMatchObject([["done", "1", expect.any(Number)]]), { timeout: 500 });
  });
});

describe("a shutdown", () => {
  test("leases nothing more, and releases unfinished work with a delay so that its effects become visible", async () => {
    const afterMs = 2_000;
    const { inbox, other, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    const begun = Promise.withResolvers<void>();
    const worker = work(async (_question, lease) => {
      begun.resolve();
      await delay(60_000, undefined, { signal: lease });
    });
    await begun.promise;
    const letGoAt = Date.now();
    const stopped = worker.stop(0, afterMs);
    await inbox.accept(questionRecord({ request_id: "2", thread_ts: "2.0" }));
    await stopped;
    expect(ended).toEqual([["handed_back", "1", 1]]);
    const second = await taken(other, "ask");
    expect(second.record.request_id).toBe("2");
    await other.complete(second);
    const question = await vi.waitFor(() => taken(other, "ask"), { timeout: 10_000 });
    // Tolerates the different rounding of this clock and that of the database.
    expect(Date.now() - letGoAt).toBeGreaterThan(afterMs - 5);
    expect(question).toMatchObject({ record: { request_id: "1" }, attempt: 2, triesLeft: 2 });
  });

  test("does not wait for work that ignores its signal", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    const worker = work(() => new Promise(() => undefined));
    await vi.waitFor(() => expect(worker.running()).toBe(1));
    await worker.stop(0, 0);
    expect(ended).toEqual([["handed_back", "1", 1]]);
  });
});
