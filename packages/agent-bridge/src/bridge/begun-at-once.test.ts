import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import {
  agentNamed,
  enterCall,
  enterTasks,
  newTask,
  soon,
  startBridge,
  storedResults,
  untilIdle,
} from "../testing/bridge-under-test.ts";
import { createFakeCaller, never } from "../testing/test-callers.ts";
import { createCallIntake } from "./call-intake.ts";

onBothEngines("a call whose agent has a free slot", (newDatabase) => {
  test("N5: is stored with its lease and started from memory; if its process crashes, another one takes over", async () => {
    const url = await newDatabase();
    const agents = [agentNamed("A")];
    const stuck = createFakeCaller(never);
    const first = await startBridge(url, { agents, caller: stuck.caller });
    const results = storedResults(first);
    const tasks = [newTask("t0"), newTask("t1")];
    await untilIdle(first);
    for (const [index, task] of tasks.entries()) {
      await enterTasks(first, [task], { "data-owner": "team" });
      await expect.poll(() => stuck.calls.length, soon).toBe(index + 1);
    }
    expect(await first.bridge.readings()).toMatchObject({ waiting: 0, running: 2 });
    const { db } = first.database;
    for (const row of await db.selectFrom("job").selectAll().execute())
      expect(row).toMatchObject({ state: 1, attempt: 1, owner: first.lease.owner });
    expect(stuck.calls[1]).toMatchObject({ task: newTask("t1"), options: { remoteId: undefined } });
    // Simulates a crash of the first process. It really stops, because a living one would notice.
    await first.bridge.stop(0);
    await first.lease.stop();
    await db.updateTable("job").set({ state: 1, owner: "dead", attempt: 1 }).execute();
    const quick = createFakeCaller();
    const other = await startBridge(url, { agents, caller: quick.caller, leaseMs: 600 });
    await results.until(tasks);
    expect(other.eventsOf("taskLeased").map(([, how]) => how)).toMatchObject([{ attempt: 2 }, { attempt: 2 }]);
    expect(other.given).toHaveLength(2);
  });

  test("B3: does not start before an older call that waits for the same agent", async () => {
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    const { caller, calls } = createFakeCaller(async ({ task }) => {
      await gates[Number(task.task_id)]?.promise;
      return { output: task.task_id, failure: undefined, attempts: 1 };
    });
    const agents = [agentNamed("A", { max_concurrency: 1 })];
    const opened = await startBridge(await newDatabase(), { agents, caller });
    const tasks = gates.map((_, index) => newTask(String(index)));
    for (const task of tasks) await enterTasks(opened, [task]);
    for (const [index, { resolve }] of gates.entries()) {
      await expect.poll(() => calls.length, soon).toBe(index + 1);
      resolve();
      await storedResults(opened).until(tasks.slice(0, index + 1));
    }
    expect(calls.map(({ task }) => task.task_id)).toEqual(gates.map((_, index) => String(index)));
  });

  test("N5: is taken by another process if it arrives in a process without a bridge", async () => {
    const url = await newDatabase();
    const { caller, calls } = createFakeCaller();
    const working = await startBridge(url, { agents: [agentNamed("A")], caller });
    const other = await startBridge(url, { agents: [], caller: createFakeCaller().caller, maxRunning: 0 });
    const plain = { ...other, bridge: { intake: createCallIntake({ store: other.jobs }) } };
    expect(await enterTasks(plain, [newTask("t1")])).toEqual([true]);
    const [result] = await storedResults(other).until([newTask("t1")]);
    expect(result).toMatchObject({ status: "SUCCESS", task_id: "t1" });
    expect([calls.length, working.given.length, other.given.length]).toEqual([1, 1, 0]);
    await plain.bridge.intake.cancel(newTask("t1"), "Enough.");
    expect(await storedResults(other).of("t1")).toEqual(result);
  });

  test("N5: releases its slot if storing it fails, and starts when it is delivered again", async () => {
    const { caller, calls } = createFakeCaller();
    const agents = [agentNamed("A", { max_concurrency: 1 })];
    const opened = await startBridge(await newDatabase(), { agents, caller });
    await untilIdle(opened);
    const broken = { ...opened, jobs: { ...opened.jobs, add: () => Promise.reject(new Error("no room")) } };
    const call = { task: newTask("t1"), headers: {}, deadlineMs: 60_000 };
    await expect(enterCall(broken, call)).rejects.toThrow("no room");
    expect(await enterCall(opened, call)).toBe(true);
    await storedResults(opened).until([call.task]);
    expect(calls).toHaveLength(1);
  });
});
