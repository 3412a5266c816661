import type { Database } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { faultyDatabase, lostLine } from "../testing/executor-parts.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const definition = workflowOf([agentStep("a", { input_mapping: "${workflow.input}" })]);

/** A database that commits and then loses the response, for the next few writes. `meanwhile` runs before the retry. */
function lossy() {
  const line = {
    loses: 0,
    meanwhile: async (): Promise<unknown> => undefined,
    of: <Tables>(database: Database<Tables>): Database<Tables> =>
      faultyDatabase(database, async (commit) => {
        const result = await commit();
        if (line.loses === 0) return result;
        line.loses -= 1;
        await line.meanwhile();
        throw lostLine();
      }),
  };
  return line;
}

onBothEngines("a commit whose answer is lost", (newDatabase) => {
  test("Z9: a run that is started, canceled or retried returns its actual state, and nothing is done twice", async () => {
    const line = lossy();
    const url = await newDatabase();
    const executor = await openExecutor(url, { isStarted: false, databaseOf: line.of });
    const { workflows } = executor;
    const other = await openExecutor(url);
    const agents = await startFakeAgents(other, ({ input_data }) => {
      if (input_data === "fail") throw new Error("no");
      return undefined;
    });
    await workflows.createVersion(definition);
    const request = { workflow_id: "w", input: "hang" };
    line.loses = 1;
    expect(await workflows.startRun(request, { idempotencyKey: "k" })).toMatchObject({ outcome: "started" });
    line.loses = 1;
    const started = await workflows.startRun(request, { runId: "mine" });
    expect(started).toMatchObject({ outcome: "repeated", run: { run_id: "mine", state: "running" } });
    const askedForMine = (): number => agents.tasks.filter(({ run_id }) => run_id === "mine").length;
    await expect.poll(askedForMine, soon).toBe(1);
    line.loses = 1;
    expect(await workflows.cancel("mine")).toMatchObject({ outcome: "changed", run: { state: "canceled" } });
    expect(await workflows.cancel("mine")).toMatchObject({ outcome: "too_late", run: { state: "canceled" } });

    const failed = await begin(other, definition, "fail");
    await ended(other, failed);
    line.loses = 1;
    // It fails once more before the retry: that later failure must not be retried.
    line.meanwhile = () => ended(other, failed);
    expect(await workflows.retry(failed)).toMatchObject({ outcome: "changed", run: { state: "failed" } });
    const ids = agents.tasks.filter(({ run_id }) => run_id === failed).map(({ task_id }) => task_id);
    expect(ids).toEqual([`${failed}.a.1`, `${failed}.a.2`]);
    expect(askedForMine()).toBe(1);
  });
});

/** A database that rolls back the next few writes. */
function refusing() {
  const line = {
    refusals: 0,
    of: <Tables>(database: Database<Tables>): Database<Tables> =>
      faultyDatabase(database, (commit, rollBack) => {
        if (line.refusals === 0) return commit();
        line.refusals -= 1;
        return rollBack();
      }),
  };
  return line;
}

onBothEngines("a result whose change is rolled back", (newDatabase) => {
  test("B5, B6, B7: is delivered again until the change is stored, and no task of the next step is dispatched before", async () => {
    const line = refusing();
    const executor = await openExecutor(await newDatabase(), { databaseOf: line.of });
    const agents = await startFakeAgents(executor, ({ input_data }) => {
      line.refusals = 2;
      return input_data;
    });
    const steps = [
      agentStep("a", { next_step: "b", input_mapping: "said" }),
      agentStep("b", { input_mapping: "${a.output}" }),
    ];
    const id = await begin(executor, workflowOf(steps));
    expect(await ended(executor, id)).toMatchObject({ state: "succeeded", output: "said" });
    expect(line.refusals).toBe(0);
    expect(agents.tasks.map(({ task_id }) => task_id)).toEqual([`${id}.a.1`, `${id}.b.1`]);
  });
});
