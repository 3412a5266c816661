import { createSecretKey, randomBytes } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { leasedTask, succeeded } from "../../testing/new-task.ts";
import { taskStoreContract, type MakeTaskStores } from "../task-store.contract.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "./open-task-store.ts";

contractOnSameTables("the SQL task store", (newDatabase) => {
  const open = async (options: OpenTaskStoreOptions) => {
    const opened = await openTaskStore(options);
    onTestFinished(() => opened.database.close());
    return opened;
  };

  const make: MakeTaskStores = async (options) => {
    const url = await newDatabase();
    return [await open({ url, ...options }), await open({ url, ...options })];
  };
  taskStoreContract(make);

  test("a full database is reported as unavailable, once", async () => {
    const { store, database, jobs } = await openTaskStore({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const full = Object.assign(new Error("no room"), { code: "53100" });
    const add = vi.spyOn(jobs.store, "add").mockRejectedValue(full);
    await expect(leasedTask(store)).rejects.toMatchObject({ kind: "agent_unavailable", cause: full });
    expect(add).toHaveBeenCalledOnce();
  });

  test("S14: a task's handle is stored only with keys, sealed, until the task ends", async () => {
    const vault = createVault([{ id: "k", key: createSecretKey(randomBytes(32)) }]);
    for (const [options, kept] of [
      [{}, null],
      [{ vault }, expect.stringMatching(/^v1\.k\./)],
    ] as const) {
      const { store, database } = await openTaskStore({ url: await newDatabase(), ...options });
      onTestFinished(() => database.close());
      const leased = await leasedTask(store, { handle: "czh_secret" });
      const row = () => database.db.selectFrom("job").selectAll().executeTakeFirstOrThrow();
      expect((await row()).handle).toEqual(kept);
      expect(JSON.stringify(await row())).not.toContain("czh_secret");
      expect(await store.handleOf(leased.task.task_id)).toBe(kept === null ? undefined : "czh_secret");
      await store.end(leased, "success", succeeded());
      expect((await row()).handle).toBeNull();
    }
  });
});
