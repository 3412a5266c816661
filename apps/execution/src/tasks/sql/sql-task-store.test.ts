import { createSecretKey, randomBytes } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { heldTask, succeeded } from "../../testing/new-task.ts";
import { taskLeasesContract } from "../task-leases.contract.ts";
import { taskStoreContract, type MakeTaskStores } from "../task-store.contract.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "./open-task-store.ts";

onBothEngines("the SQL task store", (newDatabase) => {
  const open = async (options: OpenTaskStoreOptions) => {
    const { store, database } = await openTaskStore(options);
    onTestFinished(() => database.close());
    return store;
  };

  const make: MakeTaskStores = async (options) => {
    const url = await newDatabase();
    return [await open({ url, ...options }), await open({ url, ...options })];
  };
  taskStoreContract(make);
  taskLeasesContract(make);

  test("S14: without keys the handle of a task is not kept at all, and with them sealed, until the task ends", async () => {
    const vault = createVault([{ id: "k", key: createSecretKey(randomBytes(32)) }]);
    for (const [options, kept] of [
      [{}, null],
      [{ vault }, expect.stringMatching(/^v1\.k\./)],
    ] as const) {
      const { store, database } = await openTaskStore({ url: await newDatabase(), ...options });
      onTestFinished(() => database.close());
      const held = await heldTask(store, { handle: "czh_secret" });
      const row = () => database.db.selectFrom("task").selectAll().executeTakeFirstOrThrow();
      expect((await row()).handle).toEqual(kept);
      expect(JSON.stringify(await row())).not.toContain("czh_secret");
      await store.end(held, "success", succeeded());
      expect((await row()).handle).toBeNull();
    }
  });
});
