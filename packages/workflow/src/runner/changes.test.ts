import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon, stepStates } from "../testing/executors-under-test.ts";
import { agentResult, startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

onBothEngines("what is done to a run", (newDatabase) => {
  test("B12: a cancel reaches the agent; a completion that comes with it or after it changes nothing", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows, bus } = executor;
    const agents = await startFakeAgents(bus, () => undefined);
    const id = await begin(executor, workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]));
    await expect.poll(() => agents.tasks.length, soon).toBe(1);
    expect(await workflows.cancel(id)).toMatchObject({ outcome: "changed", run: { state: "canceled" } });
    expect(await workflows.cancel(id)).toMatchObject({ outcome: "too_late", run: { state: "canceled" } });
    expect(await workflows.retry(id)).toMatchObject({ outcome: "too_late", run: { state: "canceled" } });
    const [task] = agents.tasks;
    if (task) await bus.publish([{ channel: "agent_results", value: agentResult(task, { output: "late" }) }]);
    await expect.poll(() => agents.cancellations, soon).toMatchObject([{ task_id: `${id}.a.1` }]);
    await expect.poll(async () => (await bus.readQueues()).every(({ waiting }) => waiting === 0), soon).toBe(true);
    const run = await ended(executor, id);
    expect(run.state).toBe("canceled");
    expect(stepStates(run)).toEqual({ a: "canceled" });
    expect(await workflows.cancel("nobody")).toEqual({ outcome: "unknown_run" });
    expect(await workflows.cancel("no\u0000body")).toEqual({ outcome: "unknown_run" });
  });

  test("B12: of a cancel and a completion at the same moment, one wins, and the run says which", async () => {
    const url = await newDatabase();
    const [one, other] = [await openExecutor(url), await openExecutor(url)];
    const agents = await startFakeAgents(one.bus, () => undefined);
    const definition = workflowOf([agentStep("a")]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => begin(one, definition)));
    await expect.poll(() => agents.tasks.length, soon).toBe(20);
    const results = agents.tasks.map((task) => ({
      channel: "agent_results" as const,
      value: agentResult(task, { output: "done" }),
    }));
    const [canceled] = await Promise.all([
      Promise.all(ids.map((id) => other.workflows.cancel(id))),
      one.bus.publish(results),
    ]);
    for (const [index, id] of ids.entries()) {
      const { state } = await ended(one, id);
      expect(state).toBe(canceled[index]?.outcome === "changed" ? "canceled" : "succeeded");
    }
  });

  test("B10, B11, B21: a retry goes on from what failed by the plan of old, and the answer to the first attempt is too late", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows, bus } = executor;
    let isBroken = true;
    const agents = await startFakeAgents(bus, ({ input_data }) => {
      if (input_data === "b" && isBroken) throw new Error("not today");
      return input_data;
    });
    const definition = workflowOf([
      agentStep("a", { next_step: "b" }),
      agentStep("b", { next_step: "c" }),
      agentStep("c"),
    ]);
    const id = await begin(executor, definition);
    expect(await ended(executor, id)).toMatchObject({ state: "failed", error: { message: "not today", path: "b" } });
    await workflows.createVersion({ ...definition, version: "2", start_step: "c", steps: { c: agentStep("c") } });
    isBroken = false;
    expect(await workflows.retry(id)).toMatchObject({ outcome: "changed", run: { state: "running" } });
    const [, first] = agents.tasks;
    if (first) await bus.publish([{ channel: "agent_results", value: agentResult(first, { output: "late" }) }]);
    const run = await ended(executor, id);
    expect(run).toMatchObject({ state: "succeeded", output: "c", version: "1" });
    expect(run.error).toBeUndefined();
    expect(agents.tasks.map(({ task_id }) => task_id)).toEqual(
      ["a.1", "b.1", "b.2", "c.1"].map((name) => `${id}.${name}`),
    );
    expect(Object.fromEntries((await workflows.getRun(id))?.record.steps ?? [])).toMatchObject({
      a: { attempt: 1 },
      b: { attempt: 2, output: "b" },
    });
    expect(await workflows.attempts(id, "b")).toMatchObject([
      { attempt: 1, state: "failed", error: { message: "not today" } },
      { attempt: 2, state: "succeeded", output: "b" },
    ]);
    expect(executor.told.filter(([name]) => name === "runReopened")).toHaveLength(1);
  });

  test("B11, N5: results that come twice, of nobody's run or of nobody's task are done with, and change nothing", async () => {
    const executor = await openExecutor(await newDatabase());
    const { bus, workflows } = executor;
    const agents = await startFakeAgents(bus, () => undefined);
    const id = await begin(executor, workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]));
    await expect.poll(() => agents.tasks.length, soon).toBe(1);
    const own = { run_id: id, task_id: `${id}.a.1`, correlation_id: "c" };
    const results = [own, own, { ...own, task_id: `${id}.z.1` }, { ...own, task_id: "other" }].map((ids) =>
      agentResult(ids, { output: "said" }),
    );
    const foreign = ["nobody", "no\u0000body", "x".repeat(200)].map((run_id) =>
      agentResult({ run_id, task_id: `${run_id}.a.1`, correlation_id: "c" }, { output: "said" }),
    );
    await bus.publish([...results, ...foreign].map((value) => ({ channel: "agent_results", value })));
    await expect.poll(async () => (await bus.readQueues()).every(({ waiting }) => waiting === 0), soon).toBe(true);
    expect(agents.tasks.map(({ task_id }) => task_id)).toEqual([`${id}.a.1`, `${id}.b.1`]);
    expect((await workflows.getRun(id))?.run).toMatchObject({ state: "running", revision: 2 });
    expect(await bus.deadLetters.list("agent_results", 10)).toEqual([]);
  });

  test("B8: a result that nobody can read is kept aside, and the next one is taken", async () => {
    const executor = await openExecutor(await newDatabase(), { isStarted: false });
    const { bus, database, workflows, told } = executor;
    const noTask = { run_id: "x", task_id: "y", correlation_id: "c" };
    await bus.publish([{ channel: "agent_results", value: agentResult(noTask, {}) }]);
    await database.db.updateTable("bus_message").set({ value: '{"run_id":' }).execute();
    const agents = await startFakeAgents(bus);
    const id = await begin(executor, workflowOf([agentStep("a")]));
    await workflows.start();
    expect(await ended(executor, id)).toMatchObject({ state: "succeeded" });
    expect(agents.tasks).toHaveLength(1);
    await expect.poll(() => told.filter(([name]) => name === "messageRefused").length, soon).toBe(1);
  });
});
