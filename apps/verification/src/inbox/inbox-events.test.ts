import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { questionRecord, createTestInbox } from "../testing/test-inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { TakenRecord } from "./records.ts";
import { createInboxWorker } from "./inbox-worker.ts";

const ignore = (): void => undefined;

contractOnBothEngines("an inbox without polls", (newDatabase) => {
  /** Starts two processes. The worker of `there` polls only once a minute. */
  const start = async (): Promise<{ readonly here: Inbox; readonly there: Inbox; readonly done: string[] }> => {
    const url = await newDatabase();
    const open = async (): Promise<Inbox> => {
      const database = await openVerificationDatabase({ url });
      onTestFinished(() => database.close());
      return createTestInbox(database, { leaseMs: 60_000 });
    };
    const [here, there, done] = [await open(), await open(), [] as string[]];
    const looks: string[] = [];
    const worker = createInboxWorker({
      inbox: {
        ...there,
        jobs: { ...there.jobs, waitingShares: (kind) => (looks.push(kind), there.jobs.waitingShares(kind)) },
      },
      work: { ask: { concurrency: 5, handle: async ({ record }) => void done.push(record.request_id) } },
      pollMs: 60_000,
      observer: { unavailable: ignore, available: ignore, ended: ignore },
      reasonOf: String,
    });
    worker.start();
    onTestFinished(() => worker.stop(0, 0));
    await expect.poll(() => looks).toContain("ask");
    return { here, there, done };
  };

  test("another process with capacity learns of a new question at once", async () => {
    const { here, done } = await start();
    await here.accept(questionRecord({ request_id: "1" }));
    await expect.poll(() => done).toEqual(["1"]);
  });

  test("another process with capacity learns of a released question, and of the next question of a thread", async () => {
    const { here, done } = await start();
    const leased: TakenRecord[] = [];
    const enter = () => ({ as: "leased", stored: leased.push.bind(leased), notStored: ignore }) as const;
    await here.open({ enter, isRunning: () => true, onReady: ignore, onLost: ignore, onFailure: ignore });
    onTestFinished(() => here.close());
    for (const request_id of ["1", "2"]) await here.accept(questionRecord({ request_id, thread_ts: "1.0" }));
    await here.accept(questionRecord({ request_id: "3", thread_ts: "3.0" }));
    expect([leased.map(({ record }) => record.request_id), done]).toEqual([["1", "3"], []]);
    await here.release(leased[1] as TakenRecord);
    await expect.poll(() => done).toEqual(["3"]);
    await here.complete(leased[0] as TakenRecord);
    await expect.poll(() => done).toEqual(["3", "2"]);
  });
});
