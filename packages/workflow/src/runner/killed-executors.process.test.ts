import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, openExecutor, soon, ended, spawnExecutor } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
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

onBothEngines("a run that ends its process", (newDatabase) => {
  test("I8: fails after three processes, with the reason, keeps its agent's result, and other runs continue", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url, { isStarted: false });
    const agents = await startFakeAgents(here, () => undefined);
    const two = (last: string) =>
      workflowOf([agentStep("ask", { next_step: last }), agentStep(last)], { workflow_id: `to-${last}` });
    const [deadly, harmless] = [await begin(here, two("deadly")), await begin(here, two("tell"))];
    await expect.poll(() => agents.tasks.length).toBe(2);
    for (const { task_id } of agents.tasks) agents.answer(task_id, { output: "done" });

    for (let death = 0; death < 3; death += 1) {
      // The process may crash before it prints that it started.
      const child = await spawnExecutor(url, "deadly").catch(() => undefined);
      if (child?.signalCode === null) await once(child, "exit");
    }
    const child = await spawnExecutor(url, "deadly");
    expect(await ended(here, deadly)).toMatchObject({
      state: "failed",
      error: { kind: "internal", message: expect.stringContaining("3 processes crashed while they processed it") },
      steps: [{ path: "ask", state: "succeeded", output: "done" }],
    });
    await expect.poll(() => agents.tasks.at(-1)).toMatchObject({ run_id: harmless, agent_name: "tell-agent" });
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  }, 120_000);
});
