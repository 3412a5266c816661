// suite: both
import { callId } from "@crosszone/agent-calls";
import type { SubWorkflowStep, WorkflowDefinition } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, openExecutor, soon, stepStates } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import type { Executor } from "../testing/new-executor.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const child = (more: Partial<WorkflowDefinition> = {}): WorkflowDefinition =>
  workflowOf([agentStep("ask", { input_mapping: "${workflow.input.text}" })], { workflow_id: "child", ...more });

const parent = (more: Partial<SubWorkflowStep> = {}): WorkflowDefinition =>
  workflowOf(
    [
      {
        id: "sub",
        type: "workflow",
        workflow: "child",
        input_mapping: { text: "${workflow.input}" },
        next_step: "then",
        ...more,
      },
      agentStep("then", { input_mapping: "${sub.output}" }),
    ],
    { workflow_id: "parent" },
  );

const childId = (run_id: string, attempt = 1): string => callId({ run_id, task_id: `${run_id}.sub.${attempt}` });

const runOf = async ({ workflows }: Executor, id: string) => (await workflows.getRun(id))?.run;

const openJobs = ({ database }: Executor) =>
  database.db.selectFrom("job").select("kind").where("state", "<", 4).execute();

onBothEngines("a run in a run", (newDatabase) => {
  test("belongs to the same requester, ends within its deadline, and gives its output to the next step", async () => {
    const executor = await openExecutor(await newDatabase());
    const agents = await startFakeAgents(executor, ({ input_data }) => ({ response: input_data }));
    const { workflows } = executor;
    await workflows.createVersion(child({ deadline_ms: 500_000 }));
    await workflows.createVersion(parent());
    const requester = { requester: "U0ANNA", team_id: "T1", channel: "C1" };
    const headers = { "data-owner": "team-key", traceparent: "00-1" };
    const request = { workflow_id: "parent", input: "hi", deadline_ms: 60_000 };
    await workflows.startRun(request, { runId: "up", headers, requester, requesterName: "Anna" });
    const run = await ended(executor, "up");
    expect(run).toMatchObject({ state: "succeeded", output: { response: { response: "hi" } } });
    const inner = await runOf(executor, childId("up"));
    expect(run.steps[0]).toMatchObject({ type: "workflow", child_run_id: childId("up"), output: { response: "hi" } });
    expect(inner).toMatchObject({ ...requester, names: { U0ANNA: "Anna" }, correlation_id: run.correlation_id });
    expect(Date.parse(inner?.deadline ?? "") - Date.parse(inner?.started_at ?? "")).toBeLessThanOrEqual(60_000);
    expect(agents.headers).toEqual([headers, headers].map((one) => ({ ...one, "reply-to": "workflow" })));
    expect(await openJobs(executor)).toEqual([]);
  });

  test("that fails, fails the step with its reason; a retry starts another one", async () => {
    const executor = await openExecutor(await newDatabase());
    const state = { isBroken: true };
    await startFakeAgents(executor, ({ input_data }) => {
      if (state.isBroken) throw new Error("not today");
      return input_data;
    });
    await executor.workflows.createVersion(child());
    const id = await begin(executor, parent(), "hi");
    expect(await ended(executor, id)).toMatchObject({
      state: "failed",
      error: { kind: "agent_failed", path: "sub", message: 'The workflow "child" has failed: not today' },
    });
    state.isBroken = false;
    await executor.workflows.retry(id);
    expect(await ended(executor, id)).toMatchObject({ state: "succeeded", output: "hi" });
    expect((await runOf(executor, childId(id)))?.state).toBe("failed");
    expect((await runOf(executor, childId(id, 2)))?.state).toBe("succeeded");
  });

  test.each([
    ["cancel", "canceled"],
    ["abandon", "succeeded"],
  ] as const)("of a canceled run, with on_cancel %s, is %s", async (on_cancel, state) => {
    const executor = await openExecutor(await newDatabase());
    const agents = await startFakeAgents(executor, () => undefined);
    await executor.workflows.createVersion(child());
    const id = await begin(executor, parent({ on_cancel }), "hi");
    await expect.poll(() => agents.tasks.length, soon).toBe(1);
    await executor.workflows.cancel(id);
    expect(stepStates(await ended(executor, id))).toEqual({ sub: "canceled" });
    await expect
      .poll(
        async () =>
          (
            await executor.database.db
              .selectFrom("job")
              .select("id")
              .where("id", "=", childId(id))
              .where("state", "<", 4)
              .execute()
          ).length,
        soon,
      )
      .toBe(0);
    agents.answer(agents.tasks[0]?.task_id ?? "", { output: "late" });
    expect((await ended(executor, childId(id))).state).toBe(state);
  });

  test("that takes too long is canceled at the timeout of its step, and what calls itself ends at the ninth", async () => {
    const executor = await openExecutor(await newDatabase());
    await startFakeAgents(executor, () => undefined);
    await executor.workflows.createVersion(child());
    const slow = await ended(executor, await begin(executor, parent({ timeout_ms: 400, on_error: "fail" }), "hi"));
    // The deadline of the inner run is that of the step: when its timer is first, the step fails because of it.
    const inTime = expect.stringMatching(/^(step_timed_out|agent_failed)$/) as unknown;
    expect(slow).toMatchObject({ state: "failed", error: { kind: inTime, path: "sub" } });
    expect(slow.error?.message).toMatch(/time/);
    expect((await ended(executor, childId(slow.run_id))).state).not.toBe("succeeded");
    const itself = workflowOf([{ id: "sub", type: "workflow", workflow: "itself" }], { workflow_id: "itself" });
    const run = await ended(executor, await begin(executor, itself));
    expect(run.error?.message).toContain('The workflow "itself" was not started: 8 runs are around it.');
    const { runs } = await executor.workflows.listRuns({ workflowId: "itself", limit: 20 });
    expect(runs).toHaveLength(9);
  });

  test.each([
    [{ workflow: "chlid" }, 'The workflow "chlid" is not stored.', ["is not a stored workflow; did you mean child?"]],
    [{ version: "7" }, 'The workflow "child" 7 is not stored.', undefined],
    [{ input_mapping: { text: 1 } }, "Its input does not match its schema: /text must be string.", undefined],
  ])("that can't start fails the step: %j", async (more, message, warning) => {
    const executor = await openExecutor(await newDatabase());
    const input_schema = { type: "object", properties: { text: { type: "string" } } };
    await executor.workflows.createVersion(child({ input_schema }));
    const { warnings, problems } = await executor.workflows.validate(parent(more));
    expect(problems).toEqual([]);
    expect(warnings?.map((one) => one.message)).toEqual(warning);
    const run = await ended(executor, await begin(executor, parent(more), "hi"));
    expect(run.error?.message).toContain(message);
  });
});
