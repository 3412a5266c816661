import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { questionRecord, createTestInbox, takeOne } from "../testing/test-inbox.ts";
import { inboxContract, type MakeInbox } from "./inbox.contract.ts";
import { inboxLeasesContract } from "./inbox-leases.contract.ts";
import { createSqlThreadStore } from "./sql-thread-store.ts";
import { threadStoreContract } from "./thread-store.contract.ts";

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
