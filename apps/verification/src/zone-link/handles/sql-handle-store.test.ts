import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { openVerificationDatabase } from "../../database/open-verification-database.ts";
import { handleStoreContract } from "./handle-store.contract.ts";
import { createSqlHandleStore } from "./sql-handle-store.ts";

contractOnSameTables("the handle store", (newDatabase, engine) => {
  handleStoreContract(engine, async (clock) => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    return createSqlHandleStore(database, clock);
  });
});
