import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { AgentFailure } from "../agent-failure.ts";
import {
  agentNamed,
  newTask,
  publishCancellation,
  publishTasks,
  receiveResults,
  soon,
  startBridge,
} from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo, never } from "../testing/fake-caller.ts";

const ids = { run_id: "r1", task_id: "t1", correlation_id: "c1" };
const canceled = { status: "FAILURE", output_data: null, error: { kind: "canceled", retryable: false } };

onBothEngines("a cancellation", (newDatabase) => {
  test("N5: a call is aborted with `canceled`, in whatever process it runs, and that is its result", async () => {
    const url = await newDatabase();
    const { caller, calls } = createFakeCaller(never);
    const working = await startBridge(url, { agents: [agentNamed("A")], caller });
    const results = await receiveResults(working.bus);
    await publishTasks(working.bus, [newTask("t1")]);
    await expect.poll(() => calls.length, soon).toBe(1);

    // The other process has no agents of its own, and takes what is for the group.
    const idle = createFakeCaller();
    const other = await startBridge(url, { agents: [], caller: idle.caller });
    await Promise.all([working.bus, other.bus].map((bus) => publishCancellation(bus, { ...ids, reason: "Enough." })));
    await results.until(1);
    const signal = calls[0]?.options.signal;
    await expect.poll(() => signal?.aborted, soon).toBe(true);
    expect(signal?.reason).toBeInstanceOf(AgentFailure);
    expect(signal?.reason).toMatchObject({ kind: "canceled" });
    await expect.poll(async () => (await working.bridge.readings()).running, soon).toBe(0);
    expect(results.of("t1")).toMatchObject([{ ...canceled, error_message: "The task was canceled. Enough." }]);
    expect(working.toldOf("taskLetGo")).toMatchObject([[{ task_id: "t1" }, "canceled"]]);
    expect(idle.calls).toEqual([]);
    const ends = [...working.toldOf("taskEnded"), ...other.toldOf("taskEnded")];
    expect(ends).toMatchObject([[{ task_id: "t1", agent_name: "A" }, { state: "canceled" }]]);
  });

  test("N5: one that comes before its task is kept: the task is never begun, and has one result", async () => {
    const { caller, calls } = createFakeCaller();
    const { bus, toldOf } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    await publishCancellation(bus, ids);
    await results.until(1);
    await publishTasks(bus, [newTask("t1"), newTask("t2")]);
    await results.until(2);
    await expect.poll(() => toldOf("taskStored").length, soon).toBe(2);
    expect(calls.map(({ task }) => task.task_id)).toEqual(["t2"]);
    for (const result of results.of("t1")) expect(result).toMatchObject(canceled);
  });

  test("B12: one that comes after the end changes nothing", async () => {
    const { caller } = createFakeCaller();
    const { bus, database } = await startBridge(await newDatabase(), { agents: [agentNamed("A")], caller });
    const results = await receiveResults(bus);
    await publishTasks(bus, [newTask("t1")]);
    await results.until(1);
    await publishCancellation(bus, ids);
    await expect.poll(async () => (await bus.readQueues()).every(({ waiting }) => waiting === 0), soon).toBe(true);
    expect(results.of("t1")).toMatchObject([{ status: "SUCCESS" }]);
    const row = await database.db.selectFrom("agent_call").select("state").executeTakeFirstOrThrow();
    expect(row.state).toBe("succeeded");
  });

  test("B11, B12, N5: of a hundred ends and cancellations at the same time, each task has one result, and its row says the same", async () => {
    const { caller } = createFakeCaller(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      return echo(call);
    });
    const agents = [agentNamed("A", { max_concurrency: 100 })];
    const { bus, database } = await startBridge(await newDatabase(), { agents, caller });
    const results = await receiveResults(bus);
    const tasks = Array.from({ length: 100 }, (_, index) => newTask(`t${index}`));
    await publishTasks(bus, tasks);
    await Promise.all(tasks.map(({ task_id }) => publishCancellation(bus, { ...ids, task_id })));
    await results.until(100);
    await expect.poll(async () => (await bus.readQueues()).every(({ waiting }) => waiting === 0), soon).toBe(true);
    const outcomes = tasks.map(({ task_id }) => new Set(results.of(task_id).map(({ status }) => status)));
    expect(outcomes.filter(({ size }) => size !== 1)).toEqual([]);
    const rows = await database.db.selectFrom("agent_call").select("state").execute();
    const failures = results.all.filter(({ value }) => value.status === "FAILURE");
    expect(rows.filter(({ state }) => state === "canceled")).toHaveLength(
      new Set(failures.map(({ value }) => value.task_id)).size,
    );
  });
});
