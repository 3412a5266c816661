import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import {
  agentNamed,
  declareDead,
  enterTasks,
  newTask,
  realCaller,
  soon,
  startBridge,
  storedResults,
  untilIdle,
} from "../testing/bridge-under-test.ts";
import { createFakeCaller, never } from "../testing/test-callers.ts";
import { startHttpAgent } from "../testing/http-agents.ts";
import { CallReleased } from "./call-run.ts";

const program = fileURLToPath(new URL("../testing/bridge-program.ts", import.meta.url));

onBothEngines("the lease of a call", (newDatabase) => {
  test("N5, B5: after a bridge is killed, another calls the agent again, once, and each task has one result", async () => {
    const url = await newDatabase();
    let isKilled = false;
    const agent = await startHttpAgent((taskId) => (isKilled ? `done ${taskId}` : never()));
    const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, agent.origin], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const agents = [agentNamed("A", { url: `${agent.origin}/` })];
    const tasks = Array.from({ length: 8 }, (_, index) => newTask(`t${index}`));
    const entrance = await startBridge(url, { agents, caller: realCaller(agent.origin), maxRunning: 0 });
    await enterTasks(entrance, tasks);
    await expect.poll(() => agent.asked.length, soon).toBe(8);
    child.kill("SIGKILL");
    await once(child, "exit");
    isKilled = true;

    const other = await startBridge(url, { agents, caller: realCaller(agent.origin), leaseMs: 2_000 });
    const results = await storedResults(other).until(tasks);
    for (const result of results)
      expect(result).toMatchObject({ status: "SUCCESS", output_data: { text: `done ${result.task_id}` } });
    expect(agent.asked).toHaveLength(16);
    await expect.poll(() => other.given.length, soon).toBe(8);
    expect(other.eventsOf("taskLeased").map(([, how]) => (how as { attempt: number }).attempt)).toEqual(
      tasks.map(() => 2),
    );
  }, 120_000);

  test("B11, N5: a call that lost its lease is aborted without a failure, and its later answer is discarded", async () => {
    const url = await newDatabase();
    const late = Promise.withResolvers<void>();
    const slow = createFakeCaller(async () => {
      if (slow.calls.length === 1) await late.promise;
      return { output: "too late", failure: undefined, attempts: 1 };
    });
    const agents = [agentNamed("A")];
    const first = await startBridge(url, { agents, caller: slow.caller, leaseMs: 1_500 });
    await enterTasks(first, [newTask("t1")]);
    await expect.poll(() => slow.calls.length, soon).toBe(1);
    const quick = createFakeCaller();
    const other = await startBridge(url, { agents, caller: quick.caller, leaseMs: 600 });
    // As if the first process had been suspended for longer than its lease.
    const before = first.lease.owner;
    await declareDead(first);
    await expect.poll(() => first.lease.owner, soon).not.toBe(before);
    await expect.poll(() => first.eventsOf("taskDropped").length, soon).toBe(1);
    await storedResults(first).until([newTask("t1")]);
    late.resolve();
    expect(slow.calls[0]?.options.signal.reason).toBeInstanceOf(CallReleased);
    expect(quick.calls.length + slow.calls.length).toBe(2);
    await expect.poll(() => other.given.length + first.given.length, soon).toBe(1);
    expect(other.eventsOf("taskEnded").length + first.eventsOf("taskEnded").length).toBe(1);
  });

  test("R2.10: the next process gets the agent's own task id, and a call that lost its lease stores none", async () => {
    const url = await newDatabase();
    const agents = [agentNamed("A")];
    const kept = Promise.withResolvers<void>();
    const polling = createFakeCaller(async ({ options }) => {
      await options.onRemoteId("theirs \u0000 7");
      kept.resolve();
      return never();
    });
    const first = await startBridge(url, { agents, caller: polling.caller });
    await enterTasks(first, [newTask("t1")]);
    await kept.promise;
    await first.bridge.stop(0);
    expect(polling.calls[0]?.options.signal.reason).toBeInstanceOf(CallReleased);
    expect(first.eventsOf("taskDropped")).toMatchObject([[{ task_id: "t1" }, "stopping"]]);
    await expect(polling.calls[0]?.options.onRemoteId("mine")).rejects.toBeInstanceOf(CallReleased);

    const next = createFakeCaller();
    const { eventsOf } = await startBridge(url, { agents, caller: next.caller });
    await storedResults(first).until([newTask("t1")]);
    expect(next.calls[0]?.options.remoteId).toBe("theirs \u0000 7");
    // Released, not lost: the attempt is not counted.
    expect(eventsOf("taskLeased")).toMatchObject([[{ task_id: "t1" }, { attempt: 1 }]]);
  });

  test("N5: a stop lets running calls end and starts no new ones", async () => {
    const url = await newDatabase();
    const gate = Promise.withResolvers<void>();
    const { caller, calls } = createFakeCaller(async () => {
      await gate.promise;
      return { output: "in time", failure: undefined, attempts: 1 };
    });
    const opened = await startBridge(url, { agents: [agentNamed("A", { max_concurrency: 1 })], caller });
    const { bridge } = opened;
    await enterTasks(opened, [newTask("t1"), newTask("t2")]);
    await expect.poll(() => calls.length, soon).toBe(1);
    const stopped = bridge.stop(60_000);
    gate.resolve();
    await stopped;
    expect(opened.given).toHaveLength(1);
    expect(calls).toHaveLength(1);
    expect(await bridge.readings()).toMatchObject({ open: 1, waiting: 1, running: 0 });
  });

  test("N5: a task that ends every process that leases it is abandoned", async () => {
    const url = await newDatabase();
    const { caller, calls } = createFakeCaller();
    const first = await startBridge(url, { agents: [], caller, maxRunning: 0 });
    await enterTasks(first, [newTask("t1")]);
    await expect.poll(async () => (await first.bridge.readings()).waiting, soon).toBe(1);
    await first.database.db.updateTable("job").set({ attempt: 3, owner: "dead", state: 1 }).execute();
    const other = await startBridge(url, { agents: [agentNamed("A")], caller, leaseMs: 600 });
    const results = await storedResults(other).until([newTask("t1")]);
    expect(results).toMatchObject([{ status: "FAILURE", error: { kind: "internal" } }]);
    expect(calls).toEqual([]);
  });

  test("N5: a task whose row was stored, but whose commit response was lost, starts in the process that leases it", async () => {
    const { caller, calls } = createFakeCaller();
    const opened = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller, leaseMs: 3_000 });
    await untilIdle(opened);
    // The store reports that it exists, as after an insert that was repeated because its response was lost.
    const add = (job: Parameters<typeof opened.jobs.add>[0]) => opened.jobs.add(job).then(() => false);
    const forgetful = { ...opened, jobs: { ...opened.jobs, add } };
    expect(await enterTasks(forgetful, [newTask("t1")])).toEqual([false]);
    expect(calls).toEqual([]);
    await storedResults(opened).until([newTask("t1")]);
    expect(opened.eventsOf("taskLeased")).toMatchObject([[{ task_id: "t1" }, { attempt: 1 }]]);
  });
});
