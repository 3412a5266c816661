import { once } from "node:events";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { spawnExecutor } from "../testing/spawn-executor.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const smallHeap = { execArgv: ["--max-old-space-size=96"] };

/** A run that calls an agent and then evaluates a condition. */
const deciding = (workflow_id: string, expression: string) =>
  workflowOf(
    [
      agentStep("ask", { next_step: "decide" }),
      { id: "decide", type: "conditional", condition: { expression }, if_true_step: "tell", if_false_step: null },
      agentStep("tell"),
    ],
    { workflow_id },
  );

onBothEngines("an executor with little memory", (newDatabase) => {
  test("I8: survives a run whose condition would use all memory, before and after a restart, and other runs continue", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url, { isStarted: false });
    const agents = await startFakeAgents(here, () => undefined);
    const items = Array.from({ length: 40_000 }, (_, index) => index % 10);
    const hungry = "workflow.input.items.map(a, workflow.input.items + workflow.input.items).size() == 1";
    const beginBoth = async (round: string): Promise<readonly [hungry: string, modest: string]> => [
      await begin(here, deciding(`hungry-${round}`, hungry), { items }),
      await begin(here, deciding(`modest-${round}`, "size(workflow.input.items) == 1"), { items }),
    ];

    for (const round of ["first", "again"]) {
      const ids = await beginBoth(round);
      await expect.poll(() => agents.tasks.filter(({ run_id }) => ids.includes(run_id)).length).toBe(2);
      // They wait for the executor, like runs that a crashed process left behind.
      for (const { run_id, task_id } of agents.tasks) if (ids.includes(run_id)) agents.answer(task_id, {});
      const child = await spawnExecutor(url, smallHeap);
      expect(await ended(here, ids[0])).toMatchObject({
        state: "failed",
        error: { kind: "condition_failed", path: "decide", message: expect.stringContaining("reads and creates more") },
      });
      expect(await ended(here, ids[1])).toMatchObject({ state: "succeeded" });
      expect([child.exitCode, child.signalCode]).toEqual([null, null]);
      child.kill("SIGKILL");
    }
  }, 120_000);
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

    const mortal = { deadlyStep: "deadly" };
    for (let death = 0; death < 3; death += 1) {
      // The process may crash before it prints that it started.
      const child = await spawnExecutor(url, mortal).catch(() => undefined);
      if (child?.signalCode === null) await once(child, "exit");
    }
    const child = await spawnExecutor(url, mortal);
    expect(await ended(here, deadly)).toMatchObject({
      state: "failed",
      error: { kind: "internal", message: expect.stringContaining("3 processes crashed while they processed it") },
      steps: [{ path: "ask", state: "succeeded", output: "done" }],
    });
    await expect.poll(() => agents.tasks.at(-1)).toMatchObject({ run_id: harmless, agent_name: "tell-agent" });
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  }, 120_000);

  test("I8: fails even if its processes call the agents, and calls the agent at most once more", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url, { isStarted: false });
    const steps = [agentStep("ask", { next_step: "deadly", input_mapping: "done" }), agentStep("deadly")];
    const deadly = await begin(here, workflowOf(steps));
    let called = 0;
    for (let process = 0; process < 4; process += 1) {
      const child = await spawnExecutor(url, { deadlyStep: "deadly", hasAgents: true }).catch(() => undefined);
      child?.stdout?.on(
        "data",
        (text: Buffer) => (called += text.toString().split(`called ${deadly}.ask.1`).length - 1),
      );
      if (process < 3 && child?.signalCode === null) await once(child, "exit");
    }
    expect(await ended(here, deadly)).toMatchObject({
      state: "failed",
      error: { kind: "internal", message: expect.stringContaining("3 processes crashed while they processed it") },
      steps: [{ path: "ask", state: "succeeded", output: "done" }],
    });
    expect(called).toBeLessThanOrEqual(2);
  }, 120_000);
});
