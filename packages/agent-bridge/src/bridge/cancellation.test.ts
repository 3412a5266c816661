import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { agentNamed, enterTasks, newTask, soon, startBridge, storedResults } from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo, never } from "../testing/test-callers.ts";

const ids = { run_id: "r1", task_id: "t1", correlation_id: "c1" };
const canceled = { status: "FAILURE", output_data: null, error: { kind: "canceled", retryable: false } };

onBothEngines("canceling a call", (newDatabase) => {
  test("B12, N5: aborts the call with `canceled`, whichever process runs it, and that is its result", async () => {
    const url = await newDatabase();
    const { caller, calls } = createFakeCaller(never);
    const working = await startBridge(url, { agents: [agentNamed("A")], caller });
    await enterTasks(working, [newTask("t1")]);
    await expect.poll(() => calls.length, soon).toBe(1);

    // The other process has no agents of its own.
    const idle = createFakeCaller();
    const other = await startBridge(url, { agents: [], caller: idle.caller });
    await Promise.all([working, other].map(({ bridge }) => bridge.intake.cancel(ids, "Enough.")));
    expect(await storedResults(other).of("t1")).toMatchObject({
      ...canceled,
      error_message: "The task was canceled. Enough.",
    });
    const signal = calls[0]?.options.signal;
    await expect.poll(() => signal?.aborted, soon).toBe(true);
    expect(signal?.reason).toBeInstanceOf(AgentFailure);
    expect(signal?.reason).toMatchObject({ kind: "canceled" });
    await expect.poll(async () => (await working.bridge.readings()).running, soon).toBe(0);
    expect(working.eventsOf("taskDropped")).toMatchObject([[{ task_id: "t1" }, "canceled"]]);
    expect(idle.calls).toEqual([]);
    const ends = [...working.eventsOf("taskEnded"), ...other.eventsOf("taskEnded")];
    expect(ends).toMatchObject([[{ task_id: "t1", agent_name: "A" }, { state: "canceled" }]]);
    // The canceling caller waits for nothing more.
    expect([...working.given, ...other.given]).toEqual([]);
  });

  test("N5: a queued call is canceled and never starts", async () => {
    const gate = Promise.withResolvers<void>();
    const { caller, calls } = createFakeCaller(async (call) => {
      await gate.promise;
      return echo(call);
    });
    const agents = [agentNamed("A", { max_concurrency: 1 })];
    const opened = await startBridge(await newDatabase(), { agents, caller });
    await enterTasks(opened, [newTask("t0")]);
    await enterTasks(opened, [newTask("t1")]);
    await enterTasks(opened, [newTask("t2")]);
    await opened.bridge.intake.cancel(ids, "");
    gate.resolve();
    const results = await storedResults(opened).until(["t0", "t1", "t2"].map((id) => newTask(id)));
    expect(calls.map(({ task }) => task.task_id)).toEqual(["t0", "t2"]);
    expect(results.filter(({ status }) => status === "FAILURE")).toMatchObject([
      { ...canceled, task_id: "t1", error_message: "The task was canceled." },
    ]);
  });

  test("B12: a cancel after the end changes nothing", async () => {
    const { caller } = createFakeCaller();
    const opened = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    await enterTasks(opened, [newTask("t1")]);
    const before = await storedResults(opened).until([newTask("t1")]);
    await opened.bridge.intake.cancel(ids, "Enough.");
    expect([await storedResults(opened).of("t1")]).toEqual(before);
    const row = await opened.database.db.selectFrom("job").select("outcome").executeTakeFirstOrThrow();
    expect(row.outcome).toBe("succeeded");
  });

  test("B11: an answer after the call was canceled by another process is discarded", async () => {
    const url = await newDatabase();
    const gate = Promise.withResolvers<void>();
    const { caller, calls } = createFakeCaller(async (call) => {
      await gate.promise;
      return echo(call);
    });
    const working = await startBridge(url, { agents: [agentNamed("A")], caller });
    const other = await startBridge(url, { agents: [], caller, maxRunning: 0 });
    await enterTasks(working, [newTask("t1")]);
    await expect.poll(() => calls.length, soon).toBe(1);
    await other.bridge.intake.cancel(ids, "Enough.");
    gate.resolve();
    await expect.poll(() => working.eventsOf("taskDropped"), soon).toMatchObject([[{ task_id: "t1" }, "canceled"]]);
    await expect.poll(async () => (await working.bridge.readings()).running, soon).toBe(0);
    expect([working.given, working.eventsOf("taskEnded")]).toEqual([[], []]);
    expect(await storedResults(other).of("t1")).toMatchObject(canceled);
  });

  test("B11, B12, N5: of a hundred concurrent ends and cancels, each call has one result, and its row agrees", async () => {
    const { caller } = createFakeCaller(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      return echo(call);
    });
    const agents = [agentNamed("A", { max_concurrency: 100 })];
    const opened = await startBridge(await newDatabase(), { agents, caller });
    const tasks = Array.from({ length: 100 }, (_, index) => newTask(`t${index}`));
    await enterTasks(opened, tasks);
    await Promise.all(tasks.map((task) => opened.bridge.intake.cancel(task, "Enough.")));
    const results = await storedResults(opened).until(tasks);
    await expect.poll(async () => (await opened.bridge.readings()).running, soon).toBe(0);
    const succeeded = results.filter(({ status }) => status === "SUCCESS");
    expect(new Set(opened.given.map(({ value }) => value.task_id)).size).toBe(opened.given.length);
    expect(opened.given).toHaveLength(succeeded.length);
    const outcomes = await opened.database.db.selectFrom("job").select("outcome").execute();
    expect(outcomes.filter(({ outcome }) => outcome === "canceled")).toHaveLength(100 - succeeded.length);
    expect(opened.eventsOf("taskEnded")).toHaveLength(100);
  });
});
