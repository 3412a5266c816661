import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { agentNamed, newTask, publishTasks, receiveResults, soon, startBridge } from "../testing/bridge-under-test.ts";
import { createFakeCaller, never } from "../testing/fake-caller.ts";

onBothEngines("a task that its agent is free for", (newDatabase) => {
  test("N5: is stored with its lease and begun from memory; who dies then has it taken over when the lease has run out", async () => {
    const url = await newDatabase();
    const agents = [agentNamed("A")];
    const stuck = createFakeCaller(never);
    const first = await startBridge(url, { agents, caller: stuck.caller });
    const results = await receiveResults(first.bus);
    await publishTasks(first.bus, [newTask("t0")]);
    await expect.poll(() => stuck.calls.length, soon).toBe(1);
    await expect.poll(() => first.bridge.readings(), soon).toMatchObject({ waiting: 0, running: 1 });
    await publishTasks(first.bus, [newTask("t1")], { "data-owner": "team" });
    await expect.poll(() => stuck.calls.length, soon).toBe(2);
    const { db } = first.database;
    const rows = await db.selectFrom("agent_call").selectAll().execute();
    for (const row of rows) {
      expect(row).toMatchObject({ state: "open", attempt: 1, owner: expect.any(String) as string });
      expect(row.lease_until).toBeGreaterThan(row.created_at);
    }
    expect(stuck.calls[1]).toMatchObject({ task: newTask("t1"), options: { remoteId: undefined } });
    // As if the first process had died at once. It really stops, because a living one might take the calls back itself.
    await first.bridge.stop(0);
    await db.updateTable("agent_call").set({ lease_until: 0, owner: "dead", attempt: 1 }).execute();
    const quick = createFakeCaller();
    const other = await startBridge(url, { agents, caller: quick.caller });
    await results.until(2);
    expect(other.toldOf("taskTaken").map(([, how]) => how)).toMatchObject([{ take: 2 }, { take: 2 }]);
    expect(results.of("t1")).toHaveLength(1);
  });

  test("B3: none is begun before an older one that waits for the same agent", async () => {
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    const { caller, calls } = createFakeCaller(async ({ task }) => {
      await gates[Number(task.task_id)]?.promise;
      return { output: task.task_id, failure: undefined, attempts: 1 };
    });
    const agents = [agentNamed("A", { max_concurrency: 1 })];
    const { bus, toldOf } = await startBridge(await newDatabase(), { agents, caller });
    const results = await receiveResults(bus);
    for (const [index] of gates.entries()) {
      await publishTasks(bus, [newTask(String(index))]);
      await expect.poll(() => toldOf("taskStored").length, soon).toBe(index + 1);
    }
    for (const [index, { resolve }] of gates.entries()) {
      await expect.poll(() => calls.length, soon).toBe(index + 1);
      resolve();
      await results.until(index + 1);
    }
    expect(calls.map(({ task }) => task.task_id)).toEqual(gates.map((_, index) => String(index)));
  });

  test("B2, N5: a task that comes again while it runs, or after it ended, is begun once", async () => {
    const gate = Promise.withResolvers<void>();
    const { caller, calls } = createFakeCaller(async () => {
      await gate.promise;
      return { output: "once", failure: undefined, attempts: 1 };
    });
    const { bus, bridge, toldOf } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    for (let time = 1; time <= 3; time += 1) {
      await publishTasks(bus, [newTask("t1")]);
      await expect.poll(() => toldOf("taskStored").length, soon).toBe(time);
      if (time === 2) gate.resolve();
      if (time === 2) await results.until(1);
    }
    await expect.poll(() => results.of("t1").length, soon).toBe(2);
    expect(calls).toHaveLength(1);
    expect(toldOf("taskStored").map(([, how]) => how)).toEqual([{ isNew: true }, { isNew: false }, { isNew: false }]);
    expect(await bridge.readings()).toMatchObject({ open: 0, running: 0 });
  });
});
