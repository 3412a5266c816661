import { onBothEngines } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { inboxContract, type MakeInbox } from "./inbox.contract.ts";
import { inboxLeasesContract } from "./inbox-leases.contract.ts";

onBothEngines("the inbox", (newDatabase, engine) => {
  const start = async (): Promise<MakeInbox> => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    return (options) => createTestInbox(database, options);
  };
  inboxContract(engine, start);
  inboxLeasesContract(engine, start);
});
