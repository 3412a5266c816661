import { onBothEngines } from "@crosszone/testkit/postgres";
import { isWorkflowRunEvent, type WorkflowRunEvent, type WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { agentResult, startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import type { RunUpdate } from "./watch-runs.ts";

const two = workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]);

async function gather(updates: AsyncIterable<RunUpdate>): Promise<RunUpdate[]> {
  const gathered: RunUpdate[] = [];
  for await (const update of updates) gathered.push(update);
  return gathered;
}

const inWords = (event: WorkflowRunEvent): string =>
  event.type === "run" ? `run ${event.state}` : `${event.step.path} ${event.step.state}`;

onBothEngines("watching a run", (newDatabase) => {
  test("streams each step and the end in order, including other processes' changes, and resumes where it stopped", async () => {
    const url = await newDatabase();
    const [here, there] = [await openExecutor(url, { isStarted: false }), await openExecutor(url)];
    const agents = await startFakeAgents(there, () => undefined);
    const id = await begin(here, two);
    const seen: RunUpdate[] = [];
    for await (const update of here.workflows.watch(id)) {
      seen.push(update);
      // Each answer comes after the previous state was seen.
      await expect.poll(() => agents.tasks.length, soon).toBe(Math.min(seen.length, 2));
      const task = agents.tasks[seen.length - 1];
      if (task) agents.answer(task.task_id, { output: "said" });
    }
    expect(seen.map(({ events }) => events.map(inWords))).toEqual([
      ["run running", "a running"],
      ["a succeeded", "b running"],
      ["b succeeded", "run succeeded"],
    ]);
    expect(seen.flatMap(({ events }) => events).every((event) => isWorkflowRunEvent(event))).toBe(true);
    expect(seen.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    const all = await gather(here.workflows.watch(id));
    expect(all.map(({ events }) => events.map(inWords))).toEqual([["a succeeded", "b succeeded", "run succeeded"]]);
    expect(await gather(here.workflows.watch(id, { since: 2 }))).toMatchObject([
      { revision: 3, events: [{ step: { path: "b", input: "b" } }, { state: "succeeded" }] },
    ]);
    expect(await gather(here.workflows.watch(id, { since: 3 }))).toEqual([]);
    expect(await gather(here.workflows.watch("nobody"))).toEqual([]);
  });

  test("stops on request, and reports a retry like any other change", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows } = executor;
    let isBroken = true;
    await startFakeAgents(executor, ({ input_data }) => {
      if (isBroken) throw new Error("not today");
      return input_data === "b" ? undefined : input_data;
    });
    const id = await begin(executor, two);
    await ended(executor, id);
    const { revision = 0 } = (await workflows.getRun(id))?.run ?? {};
    isBroken = false;
    await workflows.retry(id);
    const stopping = new AbortController();
    const seen: string[] = [];
    for await (const { events } of workflows.watch(id, { since: revision, signal: stopping.signal })) {
      seen.push(...events.map(inWords));
      if (seen.includes("b running")) stopping.abort();
    }
    expect(seen).toContain("run running");
    expect(seen).toContain("a succeeded");
  });

  test("reports a step's output that is made of other outputs, whatever was sent before", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows } = executor;
    const agents = await startFakeAgents(executor, () => undefined);
    const both: WorkflowStep = { id: "both", type: "parallel", parallel_steps: ["a", "b"] };
    const id = await begin(executor, workflowOf([both, agentStep("a"), agentStep("b")]));
    await expect.poll(() => agents.tasks.length, soon).toBe(2);
    const left = [...agents.tasks];
    let last: WorkflowRunEvent | undefined;
    for await (const { events } of workflows.watch(id)) {
      last = events.find((event) => event.type === "step" && event.step.path === "both");
      const task = left.shift();
      if (task) agents.answer(task.task_id, { output: task.agent_name });
    }
    expect(last).toMatchObject({ step: { state: "succeeded", output: { a: "a-agent", b: "b-agent" } } });
  });

  test("does not read again the steps that were sent and have not changed", async () => {
    const executor = await openExecutor(await newDatabase());
    const { workflows, database } = executor;
    const id = await begin(executor, two);
    const seen: string[] = [];
    for await (const { events } of workflows.watch(id)) {
      seen.push(...events.map(inWords));
      if (seen.includes("run succeeded")) continue;
      const path = seen.includes("a succeeded") ? "b" : "a";
      // From now on, reading its output fails.
      if (path === "b")
        await database.db.updateTable("workflow_step").where("path", "=", "a").set({ output: "{" }).execute();
      const task = { run_id: id, task_id: `${id}.${path}.1`, correlation_id: id };
      await workflows.takeResult(agentResult(task, { output: "said" }), 1);
    }
    expect(seen.at(-1)).toBe("run succeeded");
  });
});
