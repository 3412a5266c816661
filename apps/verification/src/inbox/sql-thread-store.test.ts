import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { createTestInbox } from "../testing/test-inbox.ts";
import { createSqlThreadStore } from "./sql-thread-store.ts";
import { threadStoreContract } from "./thread-store.contract.ts";

contractOnSameTables("the thread store", (newDatabase, engine) => {
  threadStoreContract(engine, async () => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    return { threads: createSqlThreadStore(database), inbox: createTestInbox(database) };
  });
});
