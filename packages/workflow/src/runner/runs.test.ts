import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon, stepStates } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

onBothEngines("runs", (newDatabase) => {
  test("a sequence passes on each agent's output and ends with the last", async () => {
    const executor = await openExecutor(await newDatabase());
    const agents = await startFakeAgents(executor, ({ agent_name, input_data }) => ({
      agent_name,
      of: input_data,
    }));
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
    expect(executor.observed.map(([name]) => name)).toEqual([
      "runStarted",
      "stepChanged",
      "stepChanged",
      "stepChanged",
      "stepChanged",
      "runEnded",
    ]);
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

  test("B1, B2, B4: several steps of a run call agents at the same time, and each gets its own result", async () => {
    const executor = await openExecutor(await newDatabase());
    const all = Promise.withResolvers<void>();
    const agents = await startFakeAgents(executor, async ({ input_data }) => {
      if (agents.tasks.length === 5) all.resolve();
      await all.promise;
      return input_data;
    });
    const ids = ["a", "b", "c", "d", "e"];
    const definition = workflowOf([
      { id: "many", type: "parallel", parallel_steps: ids },
      ...ids.map((id) => agentStep(id)),
    ]);
    const run = await ended(executor, await begin(executor, definition));
    expect(run).toMatchObject({ state: "succeeded", output: Object.fromEntries(ids.map((id) => [id, id])) });
    expect(run.steps.find(({ path }) => path === "many")?.output).toEqual(run.output);
  });

  test("B19: a loop gives each item its own tasks, up to its concurrency limit", async () => {
    const executor = await openExecutor(await newDatabase());
    let most = 0;
    let now = 0;
    const agents = await startFakeAgents(executor, async ({ input_data }) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      if (input_data === 3) throw new Error("three is too many");
      return input_data;
    });
    const definition = workflowOf([
      loopStep("each", {
        collection: "${workflow.input.items}",
        loop_body: ["ask", "again"],
        execution_mode: "parallel",
        max_parallelism: 3,
        on_error: "collect",
      }),
      agentStep("ask", { input_mapping: "${item}" }),
      agentStep("again", { input_mapping: ["${index}", "${ask.output}"] }),
    ]);
    const items = Array.from({ length: 12 }, (_, index) => index);
    const run = await ended(executor, await begin(executor, definition, { items }));
    expect(run.state).toBe("succeeded");
    expect(run.output).toEqual(
      items.map((item) =>
        item === 3
          ? { error: { kind: "agent_failed", message: "three is too many", path: "each[3].ask" } }
          : [item, item],
      ),
    );
    expect(agents.tasks).toHaveLength(23);
    expect(most).toBeLessThanOrEqual(3);
    expect(run.steps.map(({ path }) => path)).toHaveLength(24);
  });

  test("B20: a fork ends when enough of its branches succeed, and cancels the other tasks", async () => {
    const executor = await openExecutor(await newDatabase());
    const agents = await startFakeAgents(executor, ({ input_data }) => (input_data === "slow" ? undefined : "won"));
    const branches = { fast: { steps: ["fast"] }, slow: { steps: ["slow"] } };
    const definition = workflowOf([
      { id: "race", type: "fork_join", fork_join_config: { branches, join_policy: "any" } },
      agentStep("fast"),
      agentStep("slow"),
    ]);
    const run = await ended(executor, await begin(executor, definition));
    expect(run).toMatchObject({ state: "succeeded", output: { fast: "won" } });
    expect(stepStates(run)).toEqual({ race: "succeeded", fast: "succeeded", slow: "canceled" });
    await expect
      .poll(() => agents.cancellations, soon)
      .toMatchObject([{ run_id: run.run_id, task_id: `${run.run_id}.slow.1` }]);
  });

  test("N5: a step without a response times out, and so does a run", async () => {
    const executor = await openExecutor(await newDatabase());
    const agents = await startFakeAgents(executor, () => undefined);
    const late = workflowOf([agentStep("a", { timeout_ms: 100 })], { workflow_id: "late-step" });
    const run = await ended(executor, await begin(executor, late));
    expect(run).toMatchObject({ state: "failed", error: { kind: "step_timed_out", path: "a" } });
    const lateRun = workflowOf([agentStep("a")], { workflow_id: "late-run", deadline_ms: 150 });
    const other = await ended(executor, await begin(executor, lateRun));
    expect(other).toMatchObject({ state: "timed_out", error: { kind: "run_timed_out" } });
    await expect.poll(() => agents.cancellations.length, soon).toBe(2);
    expect(await executor.workflows.readings()).toEqual({ open: 0, oldestDueMs: 0 });
  });
});
