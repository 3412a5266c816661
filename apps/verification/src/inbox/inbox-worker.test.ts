import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { askRecord } from "../testing/ask-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { taken } from "./inbox.contract.ts";
import { HandBackError, LeaseLostError, UnanswerableError } from "./endings.ts";
import type { Inbox, InboxEntry, KeptAnswer } from "./inbox.ts";
import type { InboxWatch, InboxWork } from "./inbox-work.ts";
import { createInboxWorker, type InboxWorker } from "./inbox-worker.ts";

const leaseMs = 1_000;
const backoff = { firstMs: 40, longestMs: 1_000 };

interface Bench {
  readonly inbox: Inbox;
  /** What came of each taking: outcome, request id, attempt. */
  readonly ended: [string, string, number][];
  readonly watch: InboxWatch;
  /** The inbox of another process. */
  readonly other: Inbox;
  readonly work: (
    handle: (entry: InboxEntry<"ask">, lease: AbortSignal) => Promise<void>,
    more?: Partial<InboxWork<"ask">>,
  ) => InboxWorker;
}

async function start(): Promise<Bench> {
  const database = await openTestDatabase();
  const inbox = createTestInbox(database, { leaseMs, attempts: 3 });
  const ended: Bench["ended"] = [];
  const watch = {
    away: vi.fn<InboxWatch["away"]>(),
    back: vi.fn<InboxWatch["back"]>(),
    ended: vi.fn<InboxWatch["ended"]>(({ record, attempt }, outcome) => {
      ended.push([outcome, record.request_id, attempt]);
    }),
  };
  return {
    inbox,
    ended,
    watch,
    other: createTestInbox(database, { leaseMs, attempts: 3 }),
    work: (handle, more) => {
      const work = { ask: { concurrency: 10, handle, ...more } };
      const reasonOf = (error: unknown): string => (error as Error).name;
      const worker = createInboxWorker({ inbox, work, leaseMs, pollMs: 50, backoff, watch, reasonOf });
      onTestFinished(worker.pause);
      worker.wake();
      return worker;
    },
  };
}

describe("work", () => {
  test("goes on with so many records at a time, in order within a thread, until none is left", async () => {
    const { inbox, work } = await start();
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const worker = work(
      async ({ record }) => {
        most = Math.max(most, (running += 1));
        await delay(Math.random() * 4);
        running -= 1;
        order.push(record.request_id);
      },
      { concurrency: 3 },
    );
    for (let number = 0; number < 30; number += 1) {
      await inbox.accept(askRecord({ request_id: `${number % 5}-${number}`, thread_ts: `thread ${number % 5}` }));
      worker.wake();
    }
    await worker.idle();
    expect(order).toHaveLength(30);
    expect(most).toBe(3);
    for (let thread = 0; thread < 5; thread += 1) {
      const numbers = order.filter((id) => id.startsWith(`${thread}-`)).map((id) => Number(id.slice(2)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });

  test("finds what others accepted without being woken", async () => {
    const { other, work, ended } = await start();
    work(async () => undefined);
    await other.accept(askRecord({ request_id: "1" }));
    await vi.waitFor(() => expect(ended).toEqual([["done", "1", 1]]));
  });

  test("has its leases renewed for as long as it takes", async () => {
    const { inbox, other, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    const worker = work(async () => delay(2.5 * leaseMs));
    await delay(1.7 * leaseMs);
    expect(await other.take("ask")).toBeUndefined();
    await worker.idle();
    expect(ended).toEqual([["done", "1", 1]]);
  });
});

describe("how work ends", () => {
  test("an error has the record tried again later, with a pause that grows, and parked after the last time", async () => {
    const { inbox, work, ended, watch } = await start();
    const later = vi.spyOn(inbox, "retryLater");
    const park = vi.spyOn(inbox, "park");
    await inbox.accept(askRecord({ request_id: "1" }));
    work(async () => Promise.reject(new TypeError("no")));
    await vi.waitFor(() =>
      expect(ended).toEqual([
        ["retried", "1", 1],
        ["retried", "1", 2],
        ["parked", "1", 3],
      ]),
    );
    const [first, second] = later.mock.calls.map(([, afterMs]) => afterMs);
    expect(first).toBeGreaterThanOrEqual(20);
    expect(first).toBeLessThanOrEqual(40);
    expect(second).toBeGreaterThanOrEqual(40);
    expect(second).toBeLessThanOrEqual(80);
    expect(park).toHaveBeenCalledExactlyOnceWith(expect.anything(), "TypeError");
    expect(watch.ended).toHaveBeenCalledWith(expect.anything(), "parked", {
      why: "TypeError",
      error: new TypeError("no"),
    });
  });

  test("a record that nobody came to an end with is parked, and not worked on again", async () => {
    const { inbox, other, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "deadly" }));
    await inbox.accept(askRecord({ request_id: "next" }));
    for (let death = 0; death < 3; death += 1) {
      const entry = await other.take("ask");
      if (entry !== undefined) await other.retryLater(entry, 0);
    }
    const handled: string[] = [];
    const worker = work(async ({ record }) => void handled.push(record.request_id));
    await worker.idle();
    expect(handled).toEqual(["next"]);
    expect(ended[0]).toEqual(["parked", "deadly", 4]);
    expect(await inbox.load()).toMatchObject({ waiting: 0, inWork: 0, parked: 1 });
  });

  test("S13: what came to no end is handled once more with the last answer, so that nobody waits for ever", async () => {
    const { inbox, work, ended } = await start();
    const last: KeptAnswer = { state: "failed", parts: ["Something went wrong."] };
    await inbox.accept(askRecord({ request_id: "1" }));
    const answers: unknown[] = [];
    const handle = async ({ progress }: InboxEntry<"ask">): Promise<void> => {
      answers.push(progress.answer);
      if (progress.answer === undefined) throw new Error("no");
    };
    work(handle, { lastAnswer: () => last });
    await vi.waitFor(() => expect(ended.at(-1)).toEqual(["given_up", "1", 4]));
    expect(answers).toEqual([undefined, undefined, undefined, last]);
    expect(await inbox.load()).toMatchObject({ waiting: 0, inWork: 0, parked: 0 });
  });

  test("whose last answer does no good either is parked", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    work(async () => Promise.reject(new Error("no")), { lastAnswer: () => ({ state: "failed", parts: [] }) });
    await vi.waitFor(() => expect(ended.at(-1)).toEqual(["parked", "1", 4]));
  });

  test("what nobody can answer is over at once, what is handed back costs no try", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    await inbox.accept(askRecord({ request_id: "2" }));
    const worker = work(async ({ record, attempt }) => {
      if (record.request_id === "1") throw new UnanswerableError("archived");
      if (attempt < 6) throw new HandBackError("not here");
    });
    await worker.idle();
    expect(ended.map(([outcome]) => outcome)).toEqual(["unanswerable", ...Array(5).fill("handed_back"), "done"]);
  });

  test("an answer is not given twice because the inbox was away when it should be told", async () => {
    const { inbox, work, ended, watch } = await start();
    const complete = vi.spyOn(inbox, "complete");
    for (let failure = 0; failure < 3; failure += 1) complete.mockRejectedValueOnce(new Error("gone"));
    await inbox.accept(askRecord({ request_id: "1" }));
    const handle = vi.fn<() => Promise<void>>(async () => undefined);
    await work(handle).idle();
    expect(ended).toEqual([["done", "1", 1]]);
    expect(handle).toHaveBeenCalledOnce();
    expect(watch.away).toHaveBeenCalled();
  });

  test("when the answer of the inbox was lost, the record is done all the same", async () => {
    const { inbox, work, ended } = await start();
    const real = { ...inbox };
    vi.spyOn(inbox, "complete").mockImplementationOnce(async (held) => {
      await real.complete(held);
      throw new Error("connection lost");
    });
    await inbox.accept(askRecord({ request_id: "1" }));
    await work(async () => undefined).idle();
    expect(ended).toEqual([["done", "1", 1]]);
  });
});

describe("a lease that is lost", () => {
  test("aborts the work when another process has the record, and nothing more is said of it here", async () => {
    const { inbox, other, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    let reason: unknown;
    const worker = work(async (_entry, lease) => {
      worker.pause();
      await delay(60_000, undefined, { signal: lease }).catch(() => (reason = lease.reason));
      throw new Error("what the work makes of it");
    });
    const real = { ...inbox };
    vi.spyOn(inbox, "renew").mockImplementation(async (held) => {
      // It comes late: its lease has run out, and somebody else was there first.
      await vi.waitFor(async () => expect(await other.take("ask")).toBeDefined(), { timeout: 3_000 });
      return real.renew(held);
    });
    await vi.waitFor(() => expect(ended).toEqual([["lost", "1", 1]]), { timeout: 5_000 });
    await worker.idle();
    expect(reason).toBeInstanceOf(LeaseLostError);
    expect(ended).toEqual([["lost", "1", 1]]);
  });

  test("aborts the work when the inbox cannot be reached", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    vi.spyOn(inbox, "renew").mockReturnValue(new Promise(() => undefined));
    let reason: unknown;
    const worker = work(async (_entry, lease) => {
      worker.pause();
      await delay(60_000, undefined, { signal: lease }).catch(() => (reason = lease.reason));
      lease.throwIfAborted();
    });
    await vi.waitFor(() => expect(ended).toEqual([["lost", "1", 1]]), { timeout: 5_000 });
    await worker.idle();
    expect(reason).toBeInstanceOf(LeaseLostError);
  });
});

describe("an inbox that is away", () => {
  test("is told once, and worked on when it is back", async () => {
    const { inbox, work, watch, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    const take = vi.spyOn(inbox, "take").mockRejectedValue(new Error("gone"));
    work(async () => undefined);
    await vi.waitFor(() => expect(take.mock.calls.length).toBeGreaterThan(3));
    expect(watch.away).toHaveBeenCalledOnce();
    take.mockRestore();
    await vi.waitFor(() => expect(ended).toEqual([["done", "1", 1]]));
    expect(watch.back).toHaveBeenCalledOnce();
  });

  test("gets back what it gave too late", async () => {
    const { inbox, other, work } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    const real = { ...inbox };
    vi.spyOn(inbox, "take").mockImplementationOnce(async (kind) => {
      const entry = await real.take(kind);
      await delay(leaseMs / 2);
      return entry;
    });
    work(async () => undefined).pause();
    await vi.waitFor(async () => expect(await other.take("ask")).toMatchObject({ attempt: 2, triesLeft: 2 }));
  });
});

describe("the end of a process", () => {
  test("takes nothing more, and hands back at last what will not end, for later, when what it has under way can be seen", async () => {
    const afterMs = 2_000;
    const { inbox, other, work, ended } = await start();
    await inbox.accept(askRecord({ request_id: "1" }));
    const begun = Promise.withResolvers<void>();
    const worker = work(async (_entry, lease) => {
      begun.resolve();
      await delay(60_000, undefined, { signal: lease });
    });
    await begun.promise;
    worker.pause();
    await inbox.accept(askRecord({ request_id: "2", thread_ts: "2.0" }));
    worker.wake();
    const letGoAt = Date.now();
    await worker.letGo(afterMs);
    await worker.idle();
    expect(ended).toEqual([["handed_back", "1", 1]]);
    const second = await taken(other, "ask");
    expect(second.record.request_id).toBe("2");
    await other.complete(second);
    const entry = await vi.waitFor(() => taken(other, "ask"), { timeout: 10_000 });
    // A few milliseconds: this clock and that of the database round differently.
    expect(Date.now() - letGoAt).toBeGreaterThan(afterMs - 5);
    expect(entry).toMatchObject({ record: { request_id: "1" }, attempt: 2, triesLeft: 2 });
  });
});
