import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase, type VerificationDatabase } from "../database/open-verification-database.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { ReleasedError } from "./endings.ts";
import type { LeasedRecord } from "./records.ts";
import { createInboxWorker, type InboxWorker } from "./inbox-worker.ts";

const [threads, records, leaseMs] = [20, 300, 2_000];

/** Ends the lease of the process that leases the record. */
async function declareDead({ db }: VerificationDatabase, requestId: string): Promise<void> {
  const owner = db.selectFrom("job").select("owner").where("id", "=", requestId);
  await db.deleteFrom("job_worker").where("owner", "=", owner).execute();
}

onBothEngines("an inbox that processes share", (newDatabase) => {
  test("Z9: every record is completed once, in order within its thread, even when leases are lost", async () => {
    const url = await newDatabase();
    const done: string[] = [];
    const lost: string[] = [];
    const worked: number[] = [];
    const observer = await openVerificationDatabase({ url });
    onTestFinished(() => observer.close());
    async function handle({ record, attempt }: LeasedRecord<"ask">, lease: AbortSignal): Promise<void> {
      const number = Number(record.request_id);
      const hangs = number % 50 === 0 && attempt === 1;
      if (hangs) await declareDead(observer, record.request_id);
      await delay(hangs ? 60_000 : Math.random() * 20, undefined, { signal: lease });
      if (number % 7 === 0 && attempt < 3) throw new ReleasedError("not here");
      if (number % 11 === 0 && attempt < 5) throw new Error("not now");
      worked.push(number);
    }

    const start = async (): Promise<InboxWorker> => {
      const database = await openVerificationDatabase({ url });
      onTestFinished(() => database.close());
      const inbox = createTestInbox(database, { leaseMs, attempts: 1_000 });
      const worker = createInboxWorker({
        inbox,
        work: { ask: { concurrency: 5, handle } },
        pollMs: 100,
        backoff: { firstMs: 10, longestMs: 50 },
        observer: {
          unavailable: () => undefined,
          available: () => undefined,
          ended: ({ record: { request_id } }, outcome) => {
            if (outcome === "done") done.push(request_id);
            if (outcome === "lost") lost.push(request_id);
          },
        },
        reasonOf: String,
      });
      onTestFinished(() => worker.stop(0, 0));
      for (let at = accepted; at < accepted + records / 3; at += 1)
        await inbox.accept(questionRecord({ request_id: `${at}`, thread_ts: `thread ${at % threads}` }));
      accepted += records / 3;
      worker.start();
      return worker;
    };
    let accepted = 0;
    for (let process = 0; process < 3; process += 1) await start();

    await expect.poll(() => done.length, { timeout: 60_000 }).toBe(records);
    expect(new Set(done).size).toBe(records);
    for (let thread = 0; thread < threads; thread += 1) {
      const inOrder = [...new Set(worked)].filter((number) => number % threads === thread);
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    }
    expect(lost.length).toBeGreaterThanOrEqual(records / 50);
  }, 90_000);
});
