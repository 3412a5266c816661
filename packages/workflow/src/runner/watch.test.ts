// suite: both
import type { WorkflowRunEvent, WorkflowStep } from "@crosszone/contracts";
import { SealedTextError } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import type { CompiledQuery } from "kysely";
import { describe, expect, test } from "vitest";
import { progressOf } from "../run/run-graph.ts";
import { begin, ended, openExecutor, soon, vaultOf } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

const two = workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]);

const inWords = (event: WorkflowRunEvent): string =>
  event.type === "run" ? `run ${event.state}` : `${event.step.path} ${event.step.state}`;

const definition = workflowOf([agentStep("a", { input_mapping: "${workflow.input}" })]);

/** Called with each write of turns. Commits it or not, and returns its result or throws. */
type FaultyWrite = <Result>(commit: () => Promise<Result>, rollBack: () => Promise<never>) => Promise<Result>;

/** A database whose writes of turns pass `write`. */
function faultyDatabase<Tables>(database: Database<Tables>, write: FaultyWrite): Database<Tables> {
  const refuse = async (): Promise<never> => {
    throw lostLine();
  };
  const executeQuery = (query: CompiledQuery): Promise<unknown> =>
    write(() => database.prepared.executeQuery(query), refuse);
  const prepared = { executeQuery } as unknown as Database<Tables>["prepared"];
  const transaction: Database<Tables>["transaction"] = (run) =>
    write(
      () => database.transaction(run),
      () =>
        database.transaction(async (held) => {
          await run(held);
          throw lostLine();
        }),
    );
  return { ...database, prepared, transaction };
}

/** The error of a lost connection. */
const lostLine = (): Error => Object.assign(new Error("the line is gone"), { code: "ECONNRESET" });

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

describe("watch", () => {
  onBothEngines("watching a run", (newDatabase) => {
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
  });

  onBothEngines("waiting for a run", (newDatabase) => {
    test("reports each change that another process makes, and the end", async () => {
      const url = await newDatabase();
      const [here, there] = [await openExecutor(url, { isStarted: false }), await openExecutor(url)];
      const agents = await startFakeAgents(there, () => undefined);
      const answer = async (at: number): Promise<void> => {
        await expect.poll(() => agents.tasks.length, soon).toBe(at + 1);
        const task = agents.tasks[at];
        if (task) agents.answer(task.task_id, { output: "said" });
      };
      const id = await begin(here, two);
      const { waitForRun } = here.workflows;
      expect(await waitForRun(id, { since: 0 })).toEqual({ revision: 1, hasEnded: false });
      const [second, end] = [waitForRun(id, { since: 1 }), waitForRun(id)];
      await answer(0);
      expect(await second).toEqual({ revision: 2, hasEnded: false });
      await answer(1);
      expect(await end).toEqual({ revision: 3, hasEnded: true });
      expect(await waitForRun(id, { since: 3 })).toEqual({ revision: 3, hasEnded: true });
      expect(await waitForRun("nobody")).toBeUndefined();
    });

    test("returns the current state if the wait is canceled, and undefined if the run is deleted meanwhile", async () => {
      const executor = await openExecutor(await newDatabase());
      const { waitForRun } = executor.workflows;
      const id = await begin(executor, two);
      const stopping = new AbortController();
      const [stopped, forgotten] = [waitForRun(id, { signal: stopping.signal }), waitForRun(id)];
      stopping.abort();
      expect(await stopped).toEqual({ revision: 1, hasEnded: false });
      expect(await waitForRun(id, { signal: AbortSignal.abort() })).toEqual({ revision: 1, hasEnded: false });
      await executor.database.db.deleteFrom("workflow_run").where("run_id", "=", id).execute();
      expect(await forgotten).toBeUndefined();
    });

    test("reads no content of people or agents, so no key is needed", async () => {
      const url = await newDatabase();
      const sealing = await openExecutor(url, { vault: vaultOf(1) });
      const stranger = await openExecutor(url, { vault: vaultOf(2), isStarted: false });
      await startFakeAgents(sealing, ({ input_data }) => input_data);
      const loop = loopStep("each", { collection: "${workflow.input.items}", loop_body: ["a"] });
      const id = await begin(sealing, workflowOf([loop, agentStep("a")]), { items: ["x", "y"] });
      await ended(sealing, id);
      await expect(stranger.workflows.getRun(id)).rejects.toThrow(SealedTextError);
      const stands = await stranger.workflows.states(id);
      const { run, record } = (await sealing.workflows.getRun(id)) ?? {};
      if (!stands || !run || !record) throw new Error("there is no run");
      expect(stands.run).toEqual({ revision: run.revision, definition: run.definition });
      const lines = progressOf(stands.run.definition, stands.record);
      expect(lines).toMatchObject([{ id: "each", state: "succeeded", done: 2, total: 2 }, { id: "a" }]);
      expect(lines).toEqual(progressOf(run.definition, record));
      expect(await stranger.workflows.states("nobody")).toBeUndefined();
    });
  });
});

describe("lost answers", () => {
  onBothEngines("a commit whose answer is lost", (newDatabase) => {
    test("B12: a run that is started, canceled or retried returns its actual state, and nothing is done twice", async () => {
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

  onBothEngines("a result whose change is rolled back", (newDatabase) => {
    test("B5, B7: is delivered again until the change is stored, and no task of the next step is dispatched before", async () => {
      // The next few writes are rolled back.
      const line = { refusals: 0 };
      const executor = await openExecutor(await newDatabase(), {
        databaseOf: (database) =>
          faultyDatabase(database, (commit, rollBack) => {
            if (line.refusals === 0) return commit();
            line.refusals -= 1;
            return rollBack();
          }),
      });
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
});
