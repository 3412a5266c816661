// suite: both
import type { CallIntake } from "@crosszone/agent-calls";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, vaultOf } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const definition = workflowOf([agentStep("a", { input_mapping: "${workflow.input}" })], {
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
});
const input = { text: "what was asked" };

onBothEngines("workflow versions and starting runs", (newDatabase) => {
  const open = async (options: Parameters<typeof openExecutor>[1] = {}, url?: string) =>
    openExecutor(url ?? (await newDatabase()), { isStarted: false, ...options });

  test("B21: concurrent creates of the same or different versions all succeed", async () => {
    const url = await newDatabase();
    const both = [await open({}, url), await open({}, url)] as const;
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        both[index % 2 === 0 ? 0 : 1].workflows.createVersion({ ...definition, version: String(index >> 1) }),
      ),
    );
    expect(created.filter((each) => each.outcome === "created")).toHaveLength(10);
    expect(created.filter((each) => each.outcome === "unchanged")).toHaveLength(10);
  });

  test("Z9: a run id that the caller chose starts one run across processes and repeats; a different request is refused", async () => {
    const url = await newDatabase();
    const both = [await open({}, url), await open({}, url)] as const;
    const { workflows } = both[0];
    await workflows.createVersion(definition);
    const request = { workflow_id: "w", input, correlation_id: "c-1" };
    const again = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        both[index % 2 === 0 ? 0 : 1].workflows.startRun(request, { runId: "task-1" }),
      ),
    );
    expect(again.filter(({ outcome }) => outcome === "started")).toHaveLength(1);
    expect(again.filter(({ outcome }) => outcome === "repeated")).toHaveLength(9);
    const summary = (await workflows.listRuns({ limit: 1 })).runs[0];
    expect(summary).toMatchObject({ run_id: "task-1", correlation_id: "c-1", state: "running", revision: 1 });
    for (const each of again) expect(each).toMatchObject({ run: summary });
    const other = { ...request, input: { text: "other" } };
    expect(await both[1].workflows.startRun(other, { runId: "task-1" })).toEqual({ outcome: "key_reused" });
    expect(await workflows.listRuns({ limit: 9 })).toMatchObject({ runs: [{}] });
    await expect(workflows.startRun(request, { runId: "task 1" })).rejects.toThrow("runId must have 1 to 64 letters");
  });

  test("Z9: two requests whose numbers are written differently are the same request", async () => {
    const { workflows } = await open();
    await workflows.createVersion(definition);
    const request = { workflow_id: "w", input: { ...input, at: -0 } };
    await workflows.startRun(request, { idempotencyKey: "zero" });
    expect(await workflows.startRun(request, { idempotencyKey: "zero" })).toMatchObject({ outcome: "repeated" });
  });

  test("an input that is larger than a run can be starts nothing", async () => {
    const { workflows } = await open({ limits: { maxRunBytes: 30 } });
    await workflows.createVersion(definition);
    expect(await workflows.startRun({ workflow_id: "w", input })).toMatchObject({ outcome: "started" });
    expect(await workflows.startRun({ workflow_id: "w", input: { text: "ü".repeat(10) } })).toMatchObject({
      outcome: "invalid_input",
      problems: [{ pointer: "", message: "must be smaller: it has 31 bytes, and a run can have 30" }],
    });
  });

  test("B7: a run whose first call cannot be enqueued does not exist", async () => {
    let isFull = true;
    const intakeOf = (intake: CallIntake): CallIntake => ({
      ...intake,
      enter: async (call) => {
        if (isFull) throw new Error("the intake takes nothing");
        return intake.enter(call);
      },
    });
    const { workflows } = await open({ intakeOf });
    await workflows.createVersion(definition);
    await expect(workflows.startRun({ workflow_id: "w", input }, { idempotencyKey: "k" })).rejects.toThrow("nothing");
    expect(await workflows.listRuns({ limit: 1 })).toMatchObject({ runs: [] });
    isFull = false;
    expect(await workflows.startRun({ workflow_id: "w", input }, { idempotencyKey: "k" })).toMatchObject({
      outcome: "started",
    });
  });

  test("with a key, what people and agents said is encrypted at rest; O31: a run whose key is missing is left to others until its deadline", async () => {
    const url = await newDatabase();
    const vault = vaultOf();
    const executor = await open({ vault }, url);
    await startFakeAgents(executor, ({ input_data }) => {
      if ((input_data as typeof input).text === "fail") throw new Error("what was said");
      return (input_data as typeof input).text === "hang" ? undefined : "what was said";
    });
    executor.workflows.start();
    for (const [text, state] of [
      ["what was asked", "succeeded"],
      ["fail", "failed"],
    ] as const)
      expect(await ended(executor, await begin(executor, definition, { text }))).toMatchObject({
        state,
        input: { text },
      });
    const { db } = executor.database;
    const rows = [
      await db.selectFrom("workflow_run").selectAll().execute(),
      await db.selectFrom("workflow_step").selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toMatch(/what was/);
    const hanging = await begin(executor, definition, { text: "hang" });
    const blind = await open({}, url);
    expect(await blind.workflows.listRuns({ state: "failed", limit: 9 })).toMatchObject({
      runs: [{ state: "failed", error: { kind: "internal" } }],
    });
    await expect(blind.workflows.cancel(hanging)).rejects.toThrow('sealed with the key "k7"');
    expect(blind.emitted).toEqual([]);
    await db.updateTable("workflow_run").set({ deadline_at: 1 }).where("run_id", "=", hanging).execute();
    expect(await blind.workflows.cancel(hanging)).toEqual({ outcome: "unknown_run" });
    expect(blind.emitted).toMatchObject([["run_unreadable", { run_id: hanging, cause: { reason: "unknown_key" } }]]);
    expect(await ended(executor, hanging)).toMatchObject({ state: "failed", error: { kind: "internal" } });
  });

  test("an ended run is kept for the retention time and deleted with its steps; an open run stays", async () => {
    const executor = await open({ limits: { retentionMs: 60_000 } });
    const { workflows, database } = executor;
    await startFakeAgents(executor, ({ input_data }) => ((input_data as typeof input).text === "hang" ? undefined : 1));
    workflows.start();
    const done = await begin(executor, definition, input);
    await begin(executor, definition, { text: "hang" });
    await ended(executor, done);
    expect(await workflows.purge.purge(10)).toBe(0);
    await database.db.updateTable("workflow_run").set({ ended_at: 1 }).where("run_id", "=", done).execute();
    expect(await workflows.purge.purge(10)).toBe(1);
    expect(await database.db.selectFrom("workflow_step").select("path").execute()).toEqual([{ path: "a" }]);
    expect(await workflows.getRun(done)).toBeUndefined();
  });
});
