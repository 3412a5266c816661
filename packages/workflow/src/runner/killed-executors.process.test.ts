// suite: rest
// @module-tag judge
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { few } from "@crosszone/testkit/cpu";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test } from "vitest";
import { begin, ended, openExecutor, soon, spawnExecutor } from "../testing/executors-under-test.ts";
import type { Executor } from "../testing/new-executor.ts";
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

const waits = workflowOf(
  [
    { id: "pause", type: "wait", for_ms: 50, next_step: "sub" },
    { id: "sub", type: "workflow", workflow: five.workflow_id, next_step: "paid" },
    { id: "paid", type: "wait", event: { name: "paid", key: "${workflow.input.index}" } },
  ],
  { workflow_id: "waits" },
);

const [runs, kills] = [few(60, 200), 6];

interface Shared {
  /** The executor of the test's own process. */
  readonly here: Executor;
  readonly url: string;
}

/**
 * Kills one process after the other at any point of its work, and starts another for each. It never kills while the turn of a run is
 * counted: on a slow machine one turn would end three processes by chance, and its run be given up (I8).
 */
async function killAndReplace({ here, url }: Shared, processes: ChildProcess[], withinMs: number): Promise<void> {
  const counted = here.database.db.selectFrom("workflow_turn").selectAll();
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(Math.random() * withinMs);
    await expect.poll(() => counted.execute(), soon).toEqual([]);
    processes.shift()?.kill("SIGKILL");
    processes.push(await spawnExecutor(url));
  }
}

describe("killed executors", () => {
  onBothEngines("executors that are killed", (newDatabase) => {
    test("B6, B7, B10, B11: all runs end, and each step completes once, whenever executors are killed", async () => {
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
      await killAndReplace({ here, url }, processes, 300);
      const ids = await begun;
      await expect.poll(async () => (await here.workflows.readings()).open, soon).toBe(0);
      const succeeded = await here.workflows.listRuns({ state: "succeeded", limit: runs + 1 });
      expect(succeeded.runs).toHaveLength(runs);
      const steps = await here.database.db.selectFrom("workflow_step").selectAll().execute();
      expect(steps).toHaveLength(runs * 6);
      expect(steps.filter(({ state, attempt }) => state !== "succeeded" || attempt !== 1)).toEqual([]);
      const given = agents.tasks.map(({ task_id }) => task_id);
      expect(given.toSorted()).toEqual(
        ids.flatMap((id) => ["a", "b", "c", "d", "e"].map((step) => `${id}.${step}.1`)).toSorted(),
      );
    }, 180_000);
  });

  onBothEngines("executors that are killed while runs wait", (newDatabase) => {
    test("each run ends once with its event, and starts one run of another workflow", async () => {
      const url = await newDatabase();
      const here = await openExecutor(url, { isStarted: false });
      await startFakeAgents(here);
      await here.workflows.createVersion(five);
      const processes: ChildProcess[] = [await spawnExecutor(url), await spawnExecutor(url)];
      const begun = Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          await delay(Math.random() * 2_000);
          const id = await begin(here, waits, { index });
          await delay(Math.random() * 2_000);
          await here.workflows.publish({ name: "paid", key: String(index), payload: index });
          return [id, index] as const;
        }),
      );
      await killAndReplace({ here, url }, processes, 600);
      for (const [id, index] of await begun)
        expect(await ended(here, id)).toMatchObject({ state: "succeeded", output: { event: index } });
      const { runs: all } = await here.workflows.listRuns({ state: "succeeded", limit: 200 });
      expect(all).toHaveLength(120);
      const steps = await here.database.db.selectFrom("workflow_step").select("attempt").execute();
      expect(steps.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 60 * 9 }, () => 1));
      const open = here.database.db.selectFrom("job").select("id").where("state", "<", 4);
      expect(await open.execute()).toEqual([]);
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
        const child = await spawnExecutor(url, "deadly");
        if (child.signalCode === null) await once(child, "exit");
      }
      const child = await spawnExecutor(url, "deadly");
      expect(await ended(here, deadly)).toMatchObject({
        state: "failed",
        error: { kind: "internal", message: expect.stringContaining("3 processes crashed while they processed it") },
        steps: [{ path: "ask", state: "succeeded", output: "done" }],
      });
      await expect.poll(() => agents.tasks.at(-1)).toMatchObject({ run_id: harmless, agent_name: "tell-agent" });
      expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    });
  });
});
