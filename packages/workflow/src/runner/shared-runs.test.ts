import type { CallEnds } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { agentResult, startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

onBothEngines("executors that share runs", (newDatabase) => {
  test("B1, B12: two executors advance the same run at the same time without losing each other's changes", async () => {
    const url = await newDatabase();
    const both = [await openExecutor(url), await openExecutor(url)] as const;
    let answers = 0;
    // Each answer arrives at the other executor, as over Kafka.
    const end: CallEnds["end"] = async (_, { result }) => {
      await (both[(answers += 1) % 2] ?? both[0]).workflows.takeResult(result, 1);
      return true;
    };
    const agents = await startFakeAgents({ ...both[0], ends: { end } });
    const items = Array.from({ length: 60 }, (_, index) => index);
    const definition = workflowOf([
      loopStep("each", {
        collection: "${workflow.input.items}",
        loop_body: ["ask", "again"],
        execution_mode: "parallel",
      }),
      agentStep("ask", { input_mapping: "${item}" }),
      agentStep("again", { input_mapping: "${ask.output}" }),
    ]);
    const id = await begin(both[0], definition, { items });
    expect(await ended(both[1], id)).toMatchObject({ state: "succeeded", output: items });
    expect(new Set(agents.tasks.map(({ task_id }) => task_id)).size).toBe(120);
    expect(agents.tasks).toHaveLength(120);
    const stepsOf = both.map(({ observed }) => observed.filter(([name]) => name === "stepChanged").length);
    expect(stepsOf.reduce((sum, steps) => sum + steps, 0)).toBe(242);
    expect(Math.min(...stepsOf)).toBeGreaterThan(20);
    expect(both.flatMap(({ observed }) => observed.filter(([name]) => name === "runEnded"))).toHaveLength(1);
  });

  test("a run that was deleted and started again with the same id has no old data on any executor", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url);
    const there = await openExecutor(url, { isStarted: false });
    const steps = [agentStep("a", { next_step: "b" }), agentStep("b", { input_mapping: "${workflow.input}" })];
    await here.workflows.createVersion(workflowOf(steps));
    await here.workflows.startRun({ workflow_id: "w", input: "old" }, { runId: "r" });
    await there.workflows.cancel("r");
    await there.database.db.updateTable("workflow_run").set({ ended_at: 1 }).execute();
    expect(await there.workflows.purge.purge(10)).toBe(1);
    expect(await there.workflows.startRun({ workflow_id: "w", input: "new" }, { runId: "r" })).toMatchObject({
      outcome: "started",
      run: { revision: 1 },
    });
    await here.workflows.takeResult(agentResult({ run_id: "r", task_id: "r.a.1", correlation_id: "c" }, {}), 1);
    await expect.poll(async () => (await there.workflows.attempts("r", "b"))[0]?.input, soon).toBe("new");
  });

  test("B6: a run that cannot be processed does not block others, and is retried later", async () => {
    const url = await newDatabase();
    const executor = await openExecutor(url, { isStarted: false });
    await startFakeAgents(executor, () => undefined);
    const definition = workflowOf([agentStep("a", { timeout_ms: 100 })]);
    const [broken, sound] = [await begin(executor, definition), await begin(executor, definition)];
    const { db } = executor.database;
    await db.updateTable("workflow_run").set({ record: "{" }).where("run_id", "=", broken).execute();
    const other = await openExecutor(url);
    expect(await ended(other, sound)).toMatchObject({ state: "failed" });
    await expect.poll(() => other.observed.filter(([name]) => name === "timerFailed").length, soon).toBeGreaterThan(0);
    const row = db.selectFrom("workflow_run").select(["due_at", "updated_at"]).where("run_id", "=", broken);
    await expect
      .poll(async () => Number((await row.executeTakeFirstOrThrow()).due_at) - Date.now(), soon)
      .toBeGreaterThan(10_000);
  });
});
