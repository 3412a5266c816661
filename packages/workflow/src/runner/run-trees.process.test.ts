// suite: rest
// @module-tag judge
import { once } from "node:events";
import { callId, subRunKind } from "@crosszone/agent-calls";
import type { WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { treeLimits } from "../steps/run-record.ts";
import { begin, ended, openExecutor, soon, spawnExecutor, stepStates } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import type { Executor } from "../testing/new-executor.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

/** A workflow whose steps run side by side. */
const fan = (workflow_id: string, steps: readonly WorkflowStep[], on_error?: "continue"): WorkflowDefinition =>
  workflowOf([{ id: "all", type: "parallel", parallel_steps: steps.map(({ id }) => id), on_error }, ...steps], {
    workflow_id,
  });

const times = (most: number, step: (id: string) => WorkflowStep): WorkflowStep[] =>
  Array.from({ length: most }, (_, n) => step(`s${n}`));

const sub =
  (workflow: string, more: { readonly on_cancel?: "abandon" } = {}) =>
  (id: string): WorkflowStep => ({ id, type: "workflow", workflow, ...more });

/** Starts itself twenty times. */
const rec20 = fan("rec20", times(20, sub("rec20")));

async function count({ database: { db } }: Executor, table: string, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(db);
  return Number(rows[0]?.n);
}

const allRuns = (executor: Executor): Promise<number> => count(executor, "workflow_run", sql`true`);
const openRuns = (executor: Executor): Promise<number> => count(executor, "workflow_run", sql`ended_at is null`);
const openJobs = (executor: Executor): Promise<number> => count(executor, "job", sql`state < 4`);
const treeOf = ({ database: { db } }: Executor, id: string) =>
  db.selectFrom("workflow_tree").selectAll().where("tree_id", "=", id).executeTakeFirstOrThrow();

onBothEngines("a tree of runs", (newDatabase) => {
  test("X17: rec20 ends by itself at the limit of runs, and another's run of a workflow goes through meanwhile", async () => {
    const url = await newDatabase();
    const executor = await openExecutor(url);
    await openExecutor(url);
    const { workflows } = executor;
    await startFakeAgents(executor);
    await workflows.createVersion(workflowOf([agentStep("ask", { input_mapping: 1 })], { workflow_id: "child" }));
    await workflows.createVersion(workflowOf([sub("child")("sub")], { workflow_id: "parent" }));
    const id = await begin(executor, rec20);
    await expect.poll(() => allRuns(executor), soon).toBeGreaterThan(100);
    const other = await workflows.startRun({ workflow_id: "parent" }, { requester: { requester: "token:other" } });
    if (!("run" in other)) throw new Error(other.outcome);
    expect((await ended(executor, other.run.run_id)).state).toBe("succeeded");
    await expect.poll(async () => (await workflows.states(id))?.record.ended_at, { timeout: 240_000 }).toBeDefined();
    const run = await ended(executor, id);
    expect(run).toMatchObject({ state: "failed" });
    expect(run.error?.message).toContain(`can have ${treeLimits.runs} runs`);
    await expect.poll(() => openRuns(executor), soon).toBe(0);
    expect(await allRuns(executor)).toBeLessThanOrEqual(treeLimits.runs + 2);
    expect(await treeOf(executor, id)).toMatchObject({ waits: 0 });
    await expect.poll(() => openJobs(executor), soon).toBe(0);
    const begun = sql`task_id is not null and path not in ('sub', 'ask')`;
    expect((await treeOf(executor, id)).runs).toBe(1 + (await count(executor, "workflow_step", begun)));
    await workflows.retry(id);
    expect((await ended(executor, id)).error?.message).toContain(`can have ${treeLimits.runs} runs`);
    expect(await allRuns(executor)).toBeLessThanOrEqual(treeLimits.runs + 2);
  }, 300_000);

  test("X17: after the cancel of a run nothing in it starts, whichever process is killed, and what it began ends", async () => {
    const url = await newDatabase();
    const here = await openExecutor(url, { isStarted: false });
    const agents = await startFakeAgents(here, () => undefined);
    const child = await spawnExecutor(url);
    const leaf = fan("leaf", [agentStep("a"), { id: "p", type: "prompt", prompt: "hi" }]);
    await here.workflows.createVersion(leaf);
    await here.workflows.createVersion(fan("middle", times(12, sub("leaf"))));
    const id = await begin(here, fan("root", times(12, sub("middle"))));
    const calls = sql`kind <> ${subRunKind} and state < 4`;
    await expect.poll(() => count(here, "job", calls), soon).toBe(288);
    await expect.poll(() => agents.tasks.length, soon).toBe(100);
    child.kill("SIGKILL");
    const begun = async () => [await allRuns(here), await count(here, "workflow_step", sql`true`)];
    const before = await begun();
    const dying = await spawnExecutor(url, "", id);
    if (dying.signalCode === null) await once(dying, "exit");
    expect(await openRuns(here)).toBeGreaterThan(0);
    expect(await count(here, "job", calls)).toBe(0);
    await spawnExecutor(url);
    await expect.poll(() => openRuns(here), soon).toBe(0);
    await expect.poll(() => openJobs(here), soon).toBe(0);
    expect(await begun()).toEqual(before);
    expect(agents.cancellations).toHaveLength(100);
    expect(await treeOf(here, id)).toMatchObject({ runs: 157, waits: 0 });
  }, 120_000);

  test("X17: the cancel of a run in a tree ends what is in it, except what outlives it, and nothing else", async () => {
    const executor = await openExecutor(await newDatabase());
    await startFakeAgents(executor, ({ input_data }) => (input_data === "go" ? "gone" : undefined));
    const { workflows } = executor;
    await workflows.createVersion(workflowOf([agentStep("ask", { input_mapping: "stay" })], { workflow_id: "leaf" }));
    const pause = { id: "pause", type: "wait", for_ms: 1_500, next_step: "ask" } as const;
    const free = workflowOf([pause, agentStep("ask", { input_mapping: "go" })], { workflow_id: "free" });
    await workflows.createVersion(free);
    await workflows.createVersion(fan("middle", [sub("leaf")("in"), sub("free", { on_cancel: "abandon" })("out")]));
    const id = await begin(executor, fan("root", times(2, sub("middle")), "continue"));
    await expect.poll(() => allRuns(executor), soon).toBe(7);
    const [first, second] = ["s0", "s1"].map((step) => callId({ run_id: id, task_id: `${id}.${step}.1` }));
    const inner = (run_id = "", step: string) => callId({ run_id, task_id: `${run_id}.${step}.1` });
    await workflows.cancel(first ?? "");
    expect((await ended(executor, inner(first, "in"))).state).toBe("canceled");
    expect(stepStates(await ended(executor, inner(first, "out")))).toEqual({ pause: "succeeded", ask: "succeeded" });
    const stateOf = async (run = "") => (await workflows.getRun(run))?.run.state;
    expect(await Promise.all([id, second, inner(second, "in")].map(stateOf))).toEqual(Array(3).fill("running"));
    await workflows.cancel(id);
    expect(await Promise.all([id, second, inner(second, "in")].map(stateOf))).toEqual(Array(3).fill("canceled"));
    expect((await workflows.retry(inner(first, "in"))).outcome).toBe("too_late");
  }, 60_000);

  test.each([
    [
      "paid_calls",
      "200 calls of language models",
      (id: string): WorkflowStep => ({ id, type: "prompt", prompt: "hi" }),
    ],
    ["waits", "200 steps that wait", (id: string): WorkflowStep => ({ id, type: "wait", for_ms: 60_000 })],
  ] as const)(
    "X17: the runs of a tree have their %s together; a retry of one is no way around",
    async (name, says, step) => {
      const executor = await openExecutor(await newDatabase());
      const { workflows } = executor;
      await workflows.createVersion(fan("some", times(45, step)));
      const id = await begin(executor, fan("root", times(6, sub("some")), "continue"));
      const failedSteps = async () =>
        (await workflows.getRun(id))?.run.steps.filter(({ state }) => state === "failed") ?? [];
      await expect.poll(async () => (await failedSteps()).length, soon).toBe(2);
      const failed = await failedSteps();
      expect(failed.map(({ error }) => error?.message)).toEqual(Array(2).fill(expect.stringContaining(says)));
      expect(await treeOf(executor, id)).toMatchObject({ [name]: 180 });
      const inner = failed[0]?.child_run_id ?? "";
      await workflows.retry(inner);
      expect(await ended(executor, inner)).toMatchObject({
        state: "failed",
        error: { kind: "run_too_large", path: "s20" },
      });
      await workflows.cancel(id);
      await expect.poll(() => openJobs(executor), soon).toBe(0);
      expect(await treeOf(executor, id)).toMatchObject({ waits: 0 });
    },
    60_000,
  );
});
