import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { questionRecord } from "../testing/question-record.ts";
import { startInboxBench as start } from "../testing/inbox-bench.ts";
import { takeOne, untilIdle } from "../testing/take-one.ts";
import { ReleasedError, UnanswerableError } from "./endings.ts";
import type { LeasedRecord, StoredAnswer } from "./records.ts";

describe("work", () => {
  test("works on several records at a time, in order within a thread, until none is left", async () => {
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
    for (let number = 0; number < 30; number += 1)
      await inbox.accept(questionRecord({ request_id: `${number % 5}-${number}`, thread_ts: `thread ${number % 5}` }));
    await untilIdle(inbox, worker);
    expect(order).toHaveLength(30);
    expect(most).toBe(3);
    for (let thread = 0; thread < 5; thread += 1) {
      const numbers = order.filter((id) => id.startsWith(`${thread}-`)).map((id) => Number(id.slice(2)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });
});

describe("how work ends", () => {
  test("an error causes retries with growing pauses, and the record is parked after the last attempt", async () => {
    const { inbox, work, ended, observer } = await start();
    const later = vi.spyOn(inbox, "retryLater");
    const park = vi.spyOn(inbox, "park");
    await inbox.accept(questionRecord({ request_id: "1" }));
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
    expect(observer.ended).toHaveBeenCalledWith(expect.anything(), "parked", {
      why: "TypeError",
      error: new TypeError("no"),
    });
  });

  test("a record that no worker completed is parked, and not worked on again", async () => {
    const { inbox, other, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "deadly" }));
    await inbox.accept(questionRecord({ request_id: "next" }));
    for (let death = 0; death < 3; death += 1) {
      const question = await takeOne(other, "ask");
      if (question !== undefined) await other.retryLater(question, 0);
    }
    const handled: string[] = [];
    const worker = work(async ({ record }) => void handled.push(record.request_id));
    await untilIdle(inbox, worker);
    expect(handled).toEqual(["next"]);
    expect(ended[0]).toEqual(["parked", "deadly", 4]);
    expect(await inbox.load()).toMatchObject({ waiting: 0, inWork: 0, parked: 1 });
  });

  test("S13: a record that failed on every attempt is handled once more with the last answer", async () => {
    const { inbox, work, ended } = await start();
    const last: StoredAnswer = { state: "failed", parts: ["Something went wrong."] };
    await inbox.accept(questionRecord({ request_id: "1" }));
    const answers: unknown[] = [];
    const handle = async ({ progress }: LeasedRecord<"ask">): Promise<void> => {
      answers.push(progress.answer);
      if (progress.answer === undefined) throw new Error("no");
    };
    work(handle, { lastAnswer: () => last });
    await vi.waitFor(() => expect(ended.at(-1)).toEqual(["given_up", "1", 4]));
    expect(answers).toEqual([undefined, undefined, undefined, last]);
    expect(await inbox.load()).toMatchObject({ waiting: 0, inWork: 0, parked: 0 });
  });

  test("a record whose last answer fails too is parked", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    work(async () => Promise.reject(new Error("no")), { lastAnswer: () => ({ state: "failed", parts: [] }) });
    await vi.waitFor(() => expect(ended.at(-1)).toEqual(["parked", "1", 4]));
  });

  test("an unanswerable record ends at once; a released record costs no attempt", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    await inbox.accept(questionRecord({ request_id: "2" }));
    const worker = work(async ({ record, attempt }) => {
      if (record.request_id === "1") throw new UnanswerableError("archived");
      if (attempt < 6) throw new ReleasedError("not here");
    });
    await untilIdle(inbox, worker);
    expect(ended.map(([outcome]) => outcome)).toEqual(["unanswerable", ...Array(5).fill("handed_back"), "done"]);
  });

  test("an answer is not posted twice when the inbox is unavailable while the record is completed", async () => {
    const { inbox, work, ended, observer } = await start();
    const complete = vi.spyOn(inbox, "complete");
    for (let failure = 0; failure < 3; failure += 1) complete.mockRejectedValueOnce(new Error("gone"));
    await inbox.accept(questionRecord({ request_id: "1" }));
    const handle = vi.fn<() => Promise<void>>(async () => undefined);
    await untilIdle(inbox, work(handle));
    expect(ended).toEqual([["done", "1", 1]]);
    expect(handle).toHaveBeenCalledOnce();
    expect(observer.unavailable).toHaveBeenCalled();
  });
});
