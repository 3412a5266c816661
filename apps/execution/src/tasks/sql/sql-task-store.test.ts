import { onBothEngines } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { taskStoreContract } from "../task-store.contract.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "./open-task-store.ts";

onBothEngines("the SQL task store", (newDatabase) => {
  const open = async (options: OpenTaskStoreOptions) => {
    const { store, database } = await openTaskStore(options);
    onTestFinished(() => database.close());
    return store;
  };

  taskStoreContract(async (options) => {
    const url = await newDatabase();
    return [await open({ url, ...options }), await open({ url, ...options })];
  });
});
