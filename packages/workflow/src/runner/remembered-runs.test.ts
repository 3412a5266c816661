// suite: both
import { createAppendAudit } from "@crosszone/audit";
import * as fc from "fast-check";
import { randomUUID } from "node:crypto";
import { type AgentTask, isWorkflowRun, problemsOf, type WorkflowDefinition } from "@crosszone/contracts";
import { agentCallJob, callId, type CallIntake, type CallEnds } from "@crosszone/agent-calls";
import { createRecordCodec, type LogFields } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import type { RunEvent } from "../run/run-events.ts";
import { createApplyEvent } from "./apply-event.ts";
import { DatabaseClock } from "./commit-turns.ts";
import { createStartRun } from "./start-run.ts";
import { createRunReader } from "../store/run-reader.ts";
import { createPlans, RunCache } from "../store/stored-run.ts";
import { jobsOf, openWorkflowDatabase } from "../testing/new-executor.ts";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { agentResult, deliverResult, startFakeAgents } from "../testing/fake-agents.ts";
import { definitionOf, planned, planNodes } from "../testing/plan-tree.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

const eventKinds = fc.array(
  fc.record({
    what: fc.constantFrom("succeed", "succeed", "succeed", "fail", "time", "retry", "cancel"),
    at: fc.nat({ max: 20 }),
    forgets: fc.boolean(),
  }),
  { maxLength: 25 },
);

onBothEngines("a run in the cache", (newDatabase) => {
  test("B12: equals the stored run for any plan and any events, and its public view matches its schema", async () => {
    const database = await openWorkflowDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const codec = createRecordCodec(undefined);
    const reading = { codec, planOf: createPlans() };
    const sent: AgentTask[] = [];
    const intake: CallIntake = {
      enter: async (call) => ({
        job: agentCallJob(call, "leased", codec),
        settle: (isStored) => void (isStored && sent.push(call.task)),
      }),
      cancel: async () => undefined,
    };
    const [remembering, forgetting] = [new RunCache(), new RunCache(0)];
    const emit = (event: string, fields?: LogFields): void => {
      if (event === "run_broken") throw fields?.["cause"];
    };
    const deps = {
      ...reading,
      database: database as never,
      jobs: jobsOf(database),
      intake,
      append: createAppendAudit({ engine: database.engine, codec: reading.codec }),
      wakeJobs: async () => undefined,
      emit,
      clock: new DatabaseClock(),
      onChanged: () => undefined,
    };
    const appliers = [remembering, forgetting].map((cache) => createApplyEvent({ ...deps, cache }));
    let definition: WorkflowDefinition | undefined;
    const versions = { find: async () => definition && { definition, text: JSON.stringify(definition) } };
    const limits = { deadlineMs: 60_000, stepTimeoutMs: 60_000, maxRunning: 5, maxRunBytes: 1_000_000, retentionMs: 1 };
    const startRun = createStartRun({ ...deps, cache: remembering, versions: versions as never, limits });
    const reader = createRunReader(deps.database, reading);

    await fc.assert(
      fc.asyncProperty(planNodes.map(planned), eventKinds, async (lane, all) => {
        definition = { ...definitionOf(lane), workflow_id: `w-${randomUUID()}` };
        sent.length = 0;
        const started = await startRun({ workflow_id: definition.workflow_id });
        if (started.outcome !== "started") throw new Error(started.outcome);
        const { run_id } = started.run;
        for (const { what, at, forgets } of all) {
          const task = sent[at % Math.max(1, sent.length)];
          const event = eventOf(what, task);
          if (event) await appliers[forgets ? 1 : 0]?.(run_id, event);
          const found = await reader.getRun(run_id);
          if (found === undefined) throw new Error("the run is gone");
          expect(problemsOf(isWorkflowRun, found.run)).toEqual([]);
          // Undefined when another process made the last change.
          const { record = found.record } =
            remembering.get({ run_id, revision: found.run.revision, created_at: Date.parse(found.run.created_at) }) ??
            {};
          expect(found.record).toEqual(record);
        }
      }),
      { numRuns: 30 },
    );
  });
});

function eventOf(what: string, task: AgentTask | undefined): RunEvent | undefined {
  if (what === "time") return { type: "time_passed" };
  if (what === "retry") return { type: "retry_requested", request: randomUUID() };
  if (what === "cancel") return { type: "cancel_requested", request: randomUUID() };
  if (task === undefined) return undefined;
  const end = what === "fail" ? { message: "no" } : { output: task.input_data };
  const call = { id: callId(task), attempt: 1, end: { outcome: what, output: null } };
  return { type: "result_received", result: agentResult(task, end), call };
}

onBothEngines("executors that share runs", (newDatabase) => {
  test("B1, B12: two executors advance the same run at the same time without losing each other's changes", async () => {
    const url = await newDatabase();
    const both = [await openExecutor(url), await openExecutor(url)] as const;
    let answers = 0;
    // Each answer arrives at the other executor, as over Kafka.
    const end: CallEnds["end"] = async (_, { result }) => {
      await deliverResult(both[(answers += 1) % 2] ?? both[0], result);
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
    const countOf = (prefix: string) =>
      both.map(({ emitted }) => emitted.filter(([name]) => name.startsWith(prefix)).length);
    // A step is reported once it is on disk; the other executor sees it before.
    const totalOf = (prefix: string) => countOf(prefix).reduce((sum, count) => sum + count, 0);
    await expect.poll(() => totalOf("step_")).toBe(242);
    expect(Math.min(...countOf("step_"))).toBeGreaterThan(20);
    await expect.poll(() => totalOf("run_ended")).toBe(1);
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
    await deliverResult(here, agentResult({ run_id: "r", task_id: "r.a.1", correlation_id: "c" }, {}));
    await expect.poll(async () => (await there.workflows.attempts("r", "b"))[0]?.input, soon).toBe("new");
  });

  test("a run that cannot be processed does not block others, and is retried later", async () => {
    const url = await newDatabase();
    const executor = await openExecutor(url, { isStarted: false });
    await startFakeAgents(executor, () => undefined);
    const definition = workflowOf([agentStep("a", { timeout_ms: 100 })]);
    const [broken, sound] = [await begin(executor, definition), await begin(executor, definition)];
    const { db } = executor.database;
    await db.updateTable("workflow_run").set({ record: "{" }).where("run_id", "=", broken).execute();
    const other = await openExecutor(url);
    expect(await ended(other, sound)).toMatchObject({ state: "failed" });
    await expect
      .poll(() => other.emitted.filter(([name]) => name === "run_timer_failed").length, soon)
      .toBeGreaterThan(0);
    const row = db.selectFrom("workflow_run").select(["due_at", "updated_at"]).where("run_id", "=", broken);
    await expect
      .poll(async () => Number((await row.executeTakeFirstOrThrow()).due_at) - Date.now(), soon)
      .toBeGreaterThan(10_000);
  });
});
