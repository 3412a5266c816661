import { contractOnBothEngines, contractOnSameTables } from "@crosszone/testkit/postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { createTestInbox, openInbox, questionRecord, takeOne } from "../testing/test-inbox.ts";
import { inboxLeasesContract } from "./inbox-leases.contract.ts";
import { createInboxWorker } from "./inbox-worker.ts";
import { inboxContract, type MakeInbox } from "./inbox.contract.ts";
import type { Inbox } from "./inbox.ts";
import type { TakenRecord } from "./records.ts";
import { createSqlThreadStore } from "./thread-store.ts";
import { threadStoreContract } from "./thread-store.contract.ts";

const ignore = (): void => undefined;

describe("sql inbox", () => {
  contractOnSameTables("the inbox", (newDatabase, engine) => {
    const start = async (): Promise<MakeInbox> => {
      const database = await openVerificationDatabase({ url: await newDatabase() });
      onTestFinished(() => database.close());
      return (options) => createTestInbox(database, options);
    };
    inboxContract(engine, start);
    inboxLeasesContract(engine, start);

    test("records of one thread and one millisecond are leased in the order in which they were accepted", async () => {
      const database = await openVerificationDatabase({ url: await newDatabase() });
      onTestFinished(() => database.close());
      const inbox = createTestInbox(database);
      const ids = Array.from({ length: 12 }, (_, at) => `r ${12 - at}`);
      for (const request_id of ids) await inbox.accept(questionRecord({ request_id }));
      await database.db.updateTable("job").set({ created_at: 1, due_at: 1 }).execute();
      const order: string[] = [];
      for (let question = await takeOne(inbox, "ask"); question !== undefined; question = await takeOne(inbox, "ask")) {
        order.push(question.record.request_id);
        await inbox.complete(question);
      }
      expect(order).toEqual(ids);
    });

    test("the database refuses a second leased record of a thread, however it is leased", async () => {
      const database = await openVerificationDatabase({ url: await newDatabase() });
      onTestFinished(() => database.close());
      const inbox = createTestInbox(database);
      for (const thread_ts of ["1.0", "1.0", "2.0"]) await inbox.accept(questionRecord({ thread_ts }));
      await takeOne(inbox, "ask");
      const taken = database.db.updateTable("job").set({ state: 1 });
      await expect(taken.where("sequence", "=", 2).execute()).rejects.toThrow(/unique/i);
      await taken.where("sequence", "=", 3).execute();
    });
  });

  contractOnSameTables("the thread store", (newDatabase, engine) => {
    threadStoreContract(engine, async () => {
      const database = await openVerificationDatabase({ url: await newDatabase() });
      onTestFinished(() => database.close());
      return { threads: createSqlThreadStore(database), inbox: createTestInbox(database) };
    });
  });
});

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
    await openInbox(here, {
      enter: () => ({ as: "leased", stored: (_lease, begin) => void begin(), notStored: ignore }),
      begin: (taken) => (leased.push(taken), undefined as never),
    });
    for (const request_id of ["1", "2"]) await here.accept(questionRecord({ request_id, thread_ts: "1.0" }));
    await here.accept(questionRecord({ request_id: "3", thread_ts: "3.0" }));
    expect([leased.map(({ record }) => record.request_id), done]).toEqual([["1", "3"], []]);
    await here.release(leased[1] as TakenRecord);
    await expect.poll(() => done).toEqual(["3"]);
    await here.complete(leased[0] as TakenRecord);
    await expect.poll(() => done).toEqual(["3", "2"]);
  });
});
