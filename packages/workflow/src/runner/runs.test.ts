// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon, stepStates } from "../testing/executors-under-test.ts";
import { agentResult, deliverResult, startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

onBothEngines("runs", (newDatabase) => {
  test("a sequence passes on each agent's output and ends with the last", async () => {
    const executor = await openExecutor(await newDatabase());
    const agents = await startFakeAgents(executor, ({ agent_name, input_data }) => ({ agent_name, of: input_data }));
    const definition = workflowOf([
      agentStep("a", { input_mapping: "${workflow.input.text}", next_step: "b" }),
      agentStep("b", { input_mapping: { said: "${a.output.of}" } }),
    ]);
    const run = await ended(executor, await begin(executor, definition, { text: "ü \u0000 \ud800" }));
    expect(run).toMatchObject({
      state: "succeeded",
      output: { agent_name: "b-agent", of: { said: "ü \u0000 \ud800" } },
      steps: [
        { path: "a", agent_name: "a-agent", state: "succeeded", attempt: 1, input: "ü \u0000 \ud800" },
        {
          path: "b",
          task_id: expect.stringMatching(/\.b\.1$/) as unknown,
          state: "succeeded",
          input: { said: "ü \u0000 \ud800" },
        },
      ],
    });
    expect(run.definition).toEqual(definition);
    expect(agents.tasks.map(({ task_id }) => task_id)).toEqual([`${run.run_id}.a.1`, `${run.run_id}.b.1`]);
    const [task] = agents.tasks;
    expect(Date.parse(task?.deadline ?? "") - Date.parse(task?.timestamp ?? "")).toBe(300_000);
    // A run is reported once it is on disk; a reader sees it before.
    await expect
      .poll(() => executor.emitted.map(([name]) => name), soon)
      .toEqual(["run_started", "step_started", "step_ended", "step_started", "step_ended", "run_ended"]);
  });

  test("B1: the data of a run travels with its calls, and only executors receive their results", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows, database } = executor;
    const agents = await startFakeAgents(executor, () => undefined);
    await workflows.createVersion(workflowOf([agentStep("a")]));
    const headers = { "data-owner": "team", traceparent: "00-1-2-01", "reply-to": "somebody" };
    await workflows.startRun({ workflow_id: "w" }, { runId: "r", headers });
    await expect.poll(() => agents.headers, soon).toEqual([{ ...headers, "reply-to": "workflow" }]);
    const call = await database.db.selectFrom("job").select(["parent", "team", "share", "state"]).execute();
    expect(call).toEqual([{ parent: "r", team: "team", share: "agent_call a-agent", state: 1 }]);
  });
});

onBothEngines("changes to a run", (newDatabase) => {
  test("B12: a cancel reaches the agent; a simultaneous or later completion changes nothing", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows } = executor;
    const agents = await startFakeAgents(executor, () => undefined);
    const id = await begin(executor, workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]));
    await expect.poll(() => agents.tasks.length, soon).toBe(1);
    expect(await workflows.cancel(id)).toMatchObject({ outcome: "changed", run: { state: "canceled" } });
    expect(await workflows.cancel(id)).toMatchObject({ outcome: "too_late", run: { state: "canceled" } });
    expect(await workflows.retry(id)).toMatchObject({ outcome: "too_late", run: { state: "canceled" } });
    const [task] = agents.tasks;
    if (task) await deliverResult(executor, agentResult(task, { output: "late" }));
    await expect.poll(() => agents.cancellations, soon).toMatchObject([{ task_id: `${id}.a.1` }]);
    await expect.poll(agents.running, soon).toBe(0);
    const run = await ended(executor, id);
    expect(run.state).toBe("canceled");
    expect(stepStates(run)).toEqual({ a: "canceled" });
    expect(await workflows.cancel("nobody")).toEqual({ outcome: "unknown_run" });
    expect(await workflows.cancel("no\u0000body")).toEqual({ outcome: "unknown_run" });
  });

  test("B12: of a simultaneous cancel and completion, one wins, and the run shows which", async () => {
    const url = await newDatabase();
    const [one, other] = [await openExecutor(url), await openExecutor(url)];
    const agents = await startFakeAgents(one, () => undefined);
    const definition = workflowOf([agentStep("a")]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => begin(one, definition)));
    await expect.poll(() => agents.tasks.length, soon).toBe(20);
    const canceling = Promise.all(ids.map((id) => other.workflows.cancel(id)));
    for (const { task_id } of agents.tasks) agents.answer(task_id, { output: "done" });
    const canceled = await canceling;
    for (const [index, id] of ids.entries()) {
      const { state } = await ended(one, id);
      expect(state).toBe(canceled[index]?.outcome === "changed" ? "canceled" : "succeeded");
    }
  });

  test("B10, B11, B21: a retry resumes at the failed step with the original plan, and discards the first attempt's result", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows } = executor;
    let isBroken = true;
    const agents = await startFakeAgents(executor, ({ input_data }) => {
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
    if (first) await deliverResult(executor, agentResult(first, { output: "late" }));
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
    expect(executor.emitted.filter(([name]) => name === "run_reopened")).toHaveLength(1);
  });

  test("B11, N5: duplicate results and results of unknown runs or tasks are consumed and change nothing", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows } = executor;
    const agents = await startFakeAgents(executor, () => undefined);
    const id = await begin(executor, workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]));
    await expect.poll(() => agents.tasks.length, soon).toBe(1);
    const own = { run_id: id, task_id: `${id}.a.1`, correlation_id: "c" };
    const results = [own, own, { ...own, task_id: `${id}.z.1` }, { ...own, task_id: "other" }].map((ids) =>
      agentResult(ids, { output: "said" }),
    );
    const foreign = ["nobody", "no\u0000body", "x".repeat(200)].map((run_id) =>
      agentResult({ run_id, task_id: `${run_id}.a.1`, correlation_id: "c" }, { output: "said" }),
    );
    const all = [...results, ...foreign];
    for (const result of [...all, ...all]) await deliverResult(executor, result);
    await expect.poll(() => agents.tasks.length, soon).toBe(2);
    expect(agents.tasks.map(({ task_id }) => task_id)).toEqual([`${id}.a.1`, `${id}.b.1`]);
    expect((await workflows.getRun(id))?.run).toMatchObject({ state: "running", revision: 2 });
  });

  test("B8: a result that was modified fails its step after five attempts, and the next result is processed", async () => {
    const executor = await openExecutor(await newDatabase(), { isStarted: false });
    const { database, workflows, emitted } = executor;
    const agents = await startFakeAgents(executor);
    const definition = workflowOf([agentStep("a")]);
    const broken = await begin(executor, definition);
    const result = database.db.updateTable("job").where("kind", "=", "agent_result");
    const breaking = result.set({ output: "v1.text", attempt: 3 });
    await expect.poll(async () => (await breaking.executeTakeFirst()).numUpdatedRows, soon).toBe(1n);
    const sound = await begin(executor, definition);
    await expect.poll(() => agents.running(), soon).toBe(0);
    workflows.start();
    expect(await ended(executor, sound)).toMatchObject({ state: "succeeded" });
    const message = "The agent's stored answer was modified and can't be decrypted.";
    expect(await ended(executor, broken)).toMatchObject({ state: "failed", error: { kind: "agent_failed", message } });
    expect(agents.tasks).toHaveLength(2);
    expect(emitted.filter(([name]) => name === "run_result_unreadable")).toHaveLength(2);
  });
});
