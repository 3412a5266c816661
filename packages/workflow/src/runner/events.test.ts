// suite: both
import { eventWaitKind } from "@crosszone/agent-calls";
import type { WaitStep } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon, vaultOf } from "../testing/executors-under-test.ts";
import type { Executor } from "../testing/new-executor.ts";
import { workflowOf } from "../testing/workflow-of.ts";
import { moveRunDeadlines } from "../store/write-runs.ts";

const paid = (more: Partial<WaitStep["event"]> = {}, rest: Partial<WaitStep> = {}) =>
  workflowOf([{ id: "w", type: "wait", event: { name: "paid", key: "${workflow.input.no}", ...more }, ...rest }]);

const sleeping = async ({ database }: Executor): Promise<number> => {
  const waits = database.db.selectFrom("job").select("id").where("kind", "=", eventWaitKind);
  return (
    await waits
      .where("state", "=", 0)
      .where("due_at", ">", Date.now() + 60_000)
      .execute()
  ).length;
};

onBothEngines("events", (newDatabase) => {
  test("before, during and after the wait: an event reaches each run that waits for it, once, and is sealed", async () => {
    const vault = vaultOf();
    const executor = await openExecutor(await newDatabase(), { vault });
    const { publish } = executor.workflows;
    const step = (id: string, next_step?: string) =>
      ({ id, type: "wait", event: { name: "paid", key: id }, next_step }) as const;
    const run_id = await begin(executor, workflowOf([step("first", "early"), step("early")]));
    const other = await begin(executor, workflowOf([step("early")], { workflow_id: "other" }));
    await expect.poll(() => sleeping(executor), soon).toBe(2);
    // During the wait of one run, and before that of the other.
    expect(await publish({ name: "paid", key: "early", id: "e1", payload: { secret: "4711" } })).toMatchObject({
      id: "e1",
      is_new: true,
    });
    expect(await publish({ name: "paid", key: "early", id: "e1", payload: "again" })).toMatchObject({ is_new: false });
    expect(await publish({ name: "paid", key: "early", payload: "second" })).toMatchObject({ is_new: true });
    const output = { event: { secret: "4711" }, at: expect.any(String) as unknown };
    expect(await ended(executor, other)).toMatchObject({ state: "succeeded", output });
    await publish({ name: "paid", key: "first" });
    const run = await ended(executor, run_id);
    expect(run).toMatchObject({
      output,
      steps: [{ output: { event: null } }, { input: { name: "paid", key: "early" } }],
    });
    // After it, for a run that begins later, it is over.
    const late = await begin(executor, workflowOf([step("early")], { workflow_id: "late" }));
    await expect.poll(() => sleeping(executor), soon).toBe(1);
    await executor.workflows.cancel(late);
    await expect.poll(() => sleeping(executor)).toBe(0);
    const stored = await executor.database.db.selectFrom("workflow_event").selectAll().execute();
    expect(stored).toHaveLength(3);
    expect(JSON.stringify(stored)).not.toContain("4711");
    expect(await executor.workflows.purgeEvents.purge(10)).toBe(0);
    await executor.database.db.updateTable("workflow_event").set({ received_at: 1 }).execute();
    expect(await executor.workflows.purgeEvents.purge(10)).toBe(3);
  });

  test("none falls between the look of a wait and its sleep, in any process", async () => {
    const url = await newDatabase();
    const [here, there] = [await openExecutor(url), await openExecutor(url)];
    const numbers = Array.from({ length: 40 }, (_, no) => no);
    const ids = await Promise.all(
      numbers.map(async (no) => {
        const id = await begin(here, paid(), { no });
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        await there.workflows.publish({ name: "paid", key: String(no), payload: no });
        return id;
      }),
    );
    const runs = await Promise.all(ids.map((id) => ended(here, id)));
    expect(runs.map(({ output }) => (output as { event: unknown }).event)).toEqual(numbers);
  });

  test("a timeout and an event at once have one outcome", async () => {
    const executor = await openExecutor(await newDatabase());
    const definition = paid({ timeout_ms: 300, on_timeout: "continue" });
    const ids = await Promise.all(Array.from({ length: 20 }, (_, no) => begin(executor, definition, { no })));
    await new Promise((resolve) => setTimeout(resolve, 250));
    await Promise.all(ids.map((_, no) => executor.workflows.publish({ name: "paid", key: String(no), payload: no })));
    for (const [no, id] of ids.entries()) {
      const { output, state } = await ended(executor, id);
      expect(state).toBe("succeeded");
      expect([{ timed_out: true }, { event: no, at: expect.any(String) as unknown }]).toContainEqual(output);
    }
    const open = executor.database.db.selectFrom("job").select("id").where("state", "<", 4);
    expect(await open.execute()).toEqual([]);
  });

  test("after a jump of the clock, a duration keeps its length and a moment its time", async () => {
    const executor = await openExecutor(await newDatabase(), { isStarted: false });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const moment = await begin(executor, workflowOf([{ id: "w", type: "wait", until }]));
    const duration = await begin(
      executor,
      workflowOf([{ id: "w", type: "wait", for_ms: 86_400_000 }], { workflow_id: "d" }),
    );
    const dues = async () => {
      const runs = await executor.database.db.selectFrom("workflow_run").select(["run_id", "due_at"]).execute();
      return Object.fromEntries(runs.map(({ run_id, due_at }) => [run_id, due_at]));
    };
    const before = await dues();
    for (const ms of [3_600_000, -3_600_000, 3_600_000]) {
      const jump = { ms, isBefore: () => sql<boolean>`true` };
      for (const statement of moveRunDeadlines(executor.database.engine, jump))
        await statement.execute(executor.database.db);
    }
    const after = await dues();
    expect((after[duration] ?? 0) - (before[duration] ?? 0)).toBe(3_600_000);
    expect(after[moment]).toBeLessThanOrEqual(before[moment] ?? 0);
    const record = (await executor.workflows.states(moment))?.record;
    expect(record?.steps.get("w")?.due_at).toBe(Date.parse(until));
  });
});
