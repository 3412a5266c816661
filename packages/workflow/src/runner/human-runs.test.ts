// suite: both
import { callId, inputKind } from "@crosszone/agent-calls";
import type { HumanStep, WorkflowDefinition } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { jobStates } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { awaitedInputs } from "../run/run-events.ts";
import type { StepDecision } from "../steps/human.ts";
import { begin, ended, openExecutor, soon, stepStates, vaultOf } from "../testing/executors-under-test.ts";
import { agentResult, deliverResult, startFakeAgents } from "../testing/fake-agents.ts";
import type { Executor } from "../testing/new-executor.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { runInputOf } from "./turn.ts";

const approval = (more: Partial<HumanStep> = {}, rest: Partial<WorkflowDefinition> = {}): WorkflowDefinition =>
  workflowOf(
    [
      {
        id: "ok",
        type: "human",
        input: "approve",
        prompt: "Send ${workflow.input.text ?? 1}?",
        next_step: "send",
        ...more,
      },
      agentStep("send", { input_mapping: "${ok.output.verdict}" }),
    ],
    rest,
  );

/** Returns the jobs of open requests. */
const asked = ({ database }: Executor) =>
  database.db
    .selectFrom("job")
    .selectAll()
    .where("kind", "=", inputKind)
    .where("state", "<", jobStates.ended)
    .execute();

interface Decided extends Partial<StepDecision> {
  readonly attempt?: number;
}

/** Ends a step as the job of its request does. */
const decide = (executor: Executor, run_id: string, { attempt = 1, ...decision }: Decided = {}) => {
  const ids = { run_id, task_id: `${run_id}.ok.${attempt}`, correlation_id: run_id };
  const output = { verdict: "approve", by: ["U0BOB"], request_id: callId(ids), ...decision };
  return deliverResult(executor, agentResult(ids, { output }));
};

onBothEngines("runs that ask people", (newDatabase) => {
  test("a step stores the job of its request with the run, and the decision goes to the next step", async () => {
    const vault = vaultOf();
    const executor = await openExecutor(await newDatabase(), { vault });
    const agents = await startFakeAgents(executor);
    const run_id = await begin(executor, approval(), { text: "100 EUR" });
    const [job] = await asked(executor);
    const found = await executor.workflows.states(run_id);
    expect(found && awaitedInputs(found.run.definition, found.record)).toEqual([job?.id]);
    expect(job).toMatchObject({ parent: run_id, share: inputKind, name: "w" });
    expect(JSON.stringify(job)).not.toContain("100 EUR");
    expect(job && runInputOf(job, createRecordCodec(vault))).toMatchObject({
      task: { run_id, task_id: `${run_id}.ok.1` },
      step_id: "ok",
      workflow_id: "w",
      ask: { kind: "approve", title: "Send 100 EUR?" },
    });
    expect(agents.tasks).toEqual([]);
    await decide(executor, run_id);
    const run = await ended(executor, run_id);
    expect(run).toMatchObject({ state: "succeeded", output: "approve" });
    expect(run.steps[0]).toMatchObject({ type: "human", input: { title: "Send 100 EUR?" }, output: { by: ["U0BOB"] } });
    expect(await asked(executor)).toEqual([]);
  });

  test("Q26: the deadline of a run does not pass while it waits, and the run says so, also for an executor that starts later", async () => {
    const url = await newDatabase();
    const first = await openExecutor(url);
    const definition = approval({}, { deadline_ms: 1_000 });
    const run_id = await begin(first, definition);
    await first.close();
    const second = await openExecutor(url);
    await startFakeAgents(second, ({ agent_name, input_data }) => (agent_name === "none" ? undefined : input_data));
    const late = workflowOf([agentStep("a", { agent_name: "none" })], { workflow_id: "late", deadline_ms: 1_000 });
    expect(await ended(second, await begin(second, late))).toMatchObject({ state: "timed_out" });
    const { run: waiting } = (await second.workflows.getRun(run_id)) ?? {};
    expect(waiting).toMatchObject({ state: "running", deadline: undefined });
    // All that passed before it asked.
    expect(waiting?.remaining_ms).toBeGreaterThan(0);
    expect(waiting?.remaining_ms).toBeLessThanOrEqual(1_000);
    expect((await second.workflows.getRun(run_id))?.run.remaining_ms).toBe(waiting?.remaining_ms);
    await decide(second, run_id);
    const done = await ended(second, run_id);
    expect(done).toMatchObject({ state: "succeeded" });
    expect(done.remaining_ms).toBeUndefined();
    expect(Date.parse(done.deadline ?? "")).toBeGreaterThan(Date.parse(done.started_at ?? "") + 1_000);
  });

  test("a canceled run wakes the job of its request, which then withdraws it", async () => {
    const executor = await openExecutor(await newDatabase());
    const run_id = await begin(executor, approval());
    const { db } = executor.database;
    const [job] = await asked(executor);
    await db.updateTable("job").set({ due_at: Number.MAX_SAFE_INTEGER }).where("kind", "=", inputKind).execute();
    await executor.workflows.cancel(run_id);
    expect(stepStates(await ended(executor, run_id))).toEqual({ ok: "canceled" });
    await expect
      .poll(async () => (await asked(executor)).map(({ id, due_at }) => [id, due_at <= Date.now() + 60_000]), soon)
      .toEqual([[job?.id, true]]);
  });
});
