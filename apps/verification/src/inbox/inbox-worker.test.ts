import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi, onTestFinished } from "vitest";
import type { Emit } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import {
  complete,
  questionRecord,
  retryLater,
  takeOne,
  untilIdle,
  taken,
  createTestInbox,
  openTestDatabase,
} from "../testing/test-inbox.ts";
import { type InboxWork, ReleasedError, UnanswerableError } from "./record-ends.ts";
import type { LeasedRecord, StoredAnswer } from "./records.ts";
import { createInboxWorker, type RecordWorkDeps } from "./inbox-worker.ts";

const backoff = { firstMs: 40, longestMs: 1_000 };

/** Makes a process with an inbox and its worker, and the inbox of another process. */
async function start() {
  const database = await openTestDatabase();
  const inbox = createTestInbox(database, { attempts: 3 });
  /** How each lease ended: outcome, request id, attempt. */
  const ended: [string, string, number][] = [];
  const emit = vi.fn<Emit<VerificationEvent>>();
  const onEnded: RecordWorkDeps["onEnded"] = ({ record, attempt }, { outcome }) =>
    void ended.push([outcome, record.request_id, attempt]);
  return {
    inbox,
    ended,
    emit,
    other: createTestInbox(database, { attempts: 3 }),
    work: (
      handle: (question: LeasedRecord<"ask">, lease: AbortSignal) => Promise<void>,
      more?: Partial<InboxWork<"ask">>,
    ) => {
      const work = { ask: { concurrency: 10, handle, ...more } };
      const reasonOf = (error: unknown): string => (error as Error).name;
      const worker = createInboxWorker({ inbox, work, pollMs: 50, backoff, emit, onEnded, reasonOf });
      onTestFinished(() => worker.stop(0, 0));
      worker.start();
      return worker;
    },
  };
}

test("works on several records at a time, until none is left", async () => {
  const { inbox, work, ended } = await start();
  let [running, most] = [0, 0];
  const handle = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await delay(5);
    running -= 1;
  };
  for (let thread = 0; thread < 12; thread += 1) await inbox.accept(questionRecord({ thread_ts: `${thread}.0` }));
  await untilIdle(inbox, work(handle, { concurrency: 3 }));
  expect([ended.length, most]).toEqual([12, 3]);
});

describe("how work ends", () => {
  test("an error causes retries with growing pauses, and the record is parked after the last attempt", async () => {
    const { inbox, work, ended, emit } = await start();
    const later = vi.spyOn(inbox.jobs.store, "release");
    const park = vi.spyOn(inbox.jobs.store.lanes, "park");
    await inbox.accept(questionRecord({ request_id: "1" }));
    work(async () => Promise.reject(new TypeError("no")));
    await vi.waitFor(() =>
      expect(ended).toEqual([
        ["retried", "1", 1],
        ["retried", "1", 2],
        ["parked", "1", 3],
      ]),
    );
    const [first, second] = later.mock.calls.map(([, { afterMs }]) => afterMs);
    expect(first).toBeGreaterThanOrEqual(20);
    expect(first).toBeLessThanOrEqual(40);
    expect(second).toBeGreaterThanOrEqual(40);
    expect(second).toBeLessThanOrEqual(80);
    expect(park).toHaveBeenCalledExactlyOnceWith(expect.anything(), { parked_because: "TypeError" }, undefined);
    const parked = { why: "TypeError", failure: new TypeError("no") };
    expect(emit).toHaveBeenCalledWith("question_parked", expect.objectContaining(parked));
  });

  test("a record that no worker completed is parked, and not worked on again", async () => {
    const { inbox, other, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "deadly" }));
    await inbox.accept(questionRecord({ request_id: "next" }));
    for (let death = 0; death < 3; death += 1) {
      const question = await takeOne(other, "ask");
      if (question !== undefined) await retryLater(other, question, 0);
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
    const { inbox, work, ended, emit } = await start();
    const remove = vi.spyOn(inbox.jobs.store.lanes, "remove");
    for (let failure = 0; failure < 3; failure += 1) remove.mockRejectedValueOnce(new Error("gone"));
    await inbox.accept(questionRecord({ request_id: "1" }));
    const handle = vi.fn<() => Promise<void>>(async () => undefined);
    await untilIdle(inbox, work(handle));
    expect(ended).toEqual([["done", "1", 1]]);
    expect(handle).toHaveBeenCalledOnce();
    expect(emit).toHaveBeenCalledWith("inbox_failed", expect.anything());
  });
});

test("a shutdown leases nothing more, and releases unfinished work with a delay so that its effects become visible", async () => {
  const afterMs = 300;
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
  await complete(other, second);
  const question = await vi.waitFor(() => taken(other, "ask"));
  // Tolerates the different rounding of this clock and that of the database.
  expect(Date.now() - letGoAt).toBeGreaterThan(afterMs - 5);
  expect(question).toMatchObject({ record: { request_id: "1" }, attempt: 2, tries: "more" });
});
