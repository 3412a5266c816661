import { createSecretKey, randomBytes } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { heldTask, succeeded } from "../../testing/new-task.ts";
import { taskLeasesContract } from "../task-leases.contract.ts";
import { taskStoreContract, type MakeTaskStores } from "../task-store.contract.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "./open-task-store.ts";

contractOnBothEngines("the SQL task store", (newDatabase, engine) => {
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

  test("what is taken is no more than was asked for, also while the engine believes that its table is small", async () => {
    const { store, database } = await openTaskStore({ url: await newDatabase(), leaseMs: 1 });
    onTestFinished(() => database.close());
    await heldTask(store);
    await sql.raw(engine === "postgres" ? "vacuum analyze task" : "analyze task").execute(database.db);
    await Promise.all(Array.from({ length: 12 }, () => heldTask(store)));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await store.take(2, [])).toHaveLength(2);
  });

  test("a database that has no room is told as one that is not there, once", async () => {
    const { store, database } = await openTaskStore({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const full = Object.assign(new Error("no room"), { code: "53100" });
    const write = vi.spyOn(database, "write").mockRejectedValue(full);
    await expect(heldTask(store)).rejects.toMatchObject({ kind: "agent_unavailable", cause: full });
    expect(write).toHaveBeenCalledOnce();
  });

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
      expect(await store.handleOf(held.task.task_id)).toBe(kept === null ? undefined : "czh_secret");
      await store.end(held, "success", succeeded());
      expect((await row()).handle).toBeNull();
    }
  });
});
