import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentTask } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { spawnExecutor } from "../testing/spawn-executor.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const five = workflowOf([
  agentStep("a", { next_step: "fan" }),
  { id: "fan", type: "parallel", parallel_steps: ["b", "c"], next_step: "d" },
  agentStep("b", { input_mapping: "${a.output}" }),
  agentStep("c", { input_mapping: "${a.output}" }),
  agentStep("d", { input_mapping: ["${b.output}", "${c.output}"], next_step: "e" }),
  agentStep("e", { input_mapping: "${d.output}" }),
]);
const [runs, kills] = [200, 6];

onBothEngines("executors that are killed", (newDatabase) => {
  test("B5, B6, B7: another executor continues a run after a kill -9, and no completed step is repeated", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url, { isStarted: false });
    const agents = await startFakeAgents(here, () => undefined);
    const child = await spawnExecutor(url);
    const id = await begin(here, workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]));
    const answer = async ({ tasks }: { readonly tasks: readonly AgentTask[] }, index: number): Promise<void> => {
      await expect.poll(() => tasks[index], soon).toBeDefined();
      const [task] = tasks.slice(index);
      if (task) agents.answer(task.task_id, { output: index });
    };
    await answer(agents, 0);
    await expect.poll(() => agents.tasks.length, soon).toBe(2);
    child.kill("SIGKILL");
    // No executor is running to take it.
    await answer(agents, 1);
    expect((await here.workflows.getRun(id))?.run.state).toBe("running");
    await spawnExecutor(url);
    expect(await ended(here, id)).toMatchObject({ state: "succeeded", output: 1 });
    expect(agents.tasks.map(({ task_id }) => task_id)).toEqual([`${id}.a.1`, `${id}.b.1`]);
  }, 120_000);

  test("B6, B7, B10, B11: two hundred runs all end, and each step completes once, whenever executors are killed", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url, { isStarted: false });
    const agents = await startFakeAgents(here, async ({ input_data }) => {
      await delay(Math.random() * 20);
      return input_data;
    });
    const processes: ChildProcess[] = [await spawnExecutor(url), await spawnExecutor(url)];
    const begun = Promise.all(
      Array.from({ length: runs }, async (_, index) => {
        await delay(Math.random() * 3_000);
        return begin(here, five, { index });
      }),
    );
    for (let kill = 0; kill < kills; kill += 1) {
      // At any point of its work.
      await delay(Math.random() * 300);
      processes.shift()?.kill("SIGKILL");
      processes.push(await spawnExecutor(url));
    }
    const ids = await begun;
    await expect.poll(async () => (await here.workflows.readings()).open, soon).toBe(0);
    const succeeded = { state: "succeeded", limit: 1, offset: 0 } as const;
    expect(await here.workflows.listRuns(succeeded)).toMatchObject({ total: runs });
    const steps = await here.database.db.selectFrom("workflow_step").selectAll().execute();
    expect(steps).toHaveLength(runs * 6);
    expect(steps.filter(({ state, attempt }) => state !== "succeeded" || attempt !== 1)).toEqual([]);
    const given = agents.tasks.map(({ task_id }) => task_id);
    expect(given.toSorted()).toEqual(
      ids.flatMap((id) => ["a", "b", "c", "d", "e"].map((step) => `${id}.${step}.1`)).toSorted(),
    );
  }, 180_000);
});
