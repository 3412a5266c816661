import type { AgentStep, HumanStep, WorkflowStep } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { readWorkflow, validateWorkflow } from "../definition/read-workflow.ts";
import type { StepDecision } from "../steps/human.ts";
import { startedRun, type PlayedRun, statesOf } from "../testing/play-run.ts";
import { agentStep, loopStep, plan, workflowOf } from "../testing/workflow-of.ts";

const humanStep = (more: Partial<HumanStep> = {}): HumanStep => ({
  id: "ok",
  type: "human",
  input: "approve",
  prompt: "Send ${workflow.input.amount} EUR?",
  next_step: "send",
  ...more,
});

const send = (more: Partial<AgentStep> = {}): AgentStep =>
  agentStep("send", { input_mapping: "${ok.output.verdict}", ...more });

function played(step: Partial<HumanStep> = {}, others: readonly WorkflowStep[] = [send()]): PlayedRun {
  return startedRun({ definition: workflowOf([humanStep(step), ...others]), input: { amount: 100, to: ["Acme"] } });
}

const decided = (decision: Partial<StepDecision>): StepDecision => ({
  verdict: "approve",
  by: ["U0BOB"],
  request_id: "r",
  ...decision,
});

test("a human step asks people with the values of its templates, and calls no agent", () => {
  const run = played({
    body: "To ${workflow.input.to}",
    action: { tool: "billing", arguments: { to: "${workflow.input.to}" } },
    decide: { people: ["U0BOB"] },
    expires_in_ms: 60_000,
  });
  expect(run.dispatched).toMatchObject([
    {
      task_id: "run-1.ok.1",
      input: {
        kind: "approve",
        title: "Send 100 EUR?",
        body: 'To ["Acme"]',
        action: { tool: "billing", arguments: { to: ["Acme"] } },
        decide: { people: ["U0BOB"] },
        expires_in_ms: 60_000,
      },
    },
  ]);
  expect(run.dispatched[0]).not.toHaveProperty("agent_name");
});

test("a prompt that is too long for a request ends in an ellipsis", () => {
  const [asked] = played({ prompt: `${"x".repeat(200)}\${workflow.input.amount}` }).dispatched;
  expect(asked?.input).toMatchObject({ title: `${"x".repeat(149)}…` });
});

test.each([
  ["approve", {}, { verdict: "approve" }],
  ["choose", { options: [{ value: "a", label: "A" }] }, { verdict: "answer", value: "a" }],
  ["text", {}, { verdict: "answer", value: "all" }],
  [
    "form",
    { schema: { type: "object", properties: { n: { type: "integer" } } } },
    { verdict: "answer", values: { n: 1 } },
  ],
] as const)("after %s, later steps see the decision", (input, more, decision) => {
  const run = played({ input, ...(more as Partial<HumanStep>) }, [send({ input_mapping: "${ok.output}" })]);
  run.succeed("ok", decided(decision));
  expect(run.taskOf("send").input).toEqual(decided(decision));
});

test.each([
  [{ verdict: "deny", reason: "Too much" }, 'The step "ok" was denied: Too much'],
  [{ verdict: "expired" }, 'The step "ok" was not answered in time.'],
  [{ verdict: "withdrawn" }, 'The step "ok" was withdrawn.'],
  [{ verdict: "not_asked", reason: "Nobody can decide" }, 'The step "ok" could not be asked: Nobody can decide'],
] as const)("the verdict of %o fails the step and its run, and the next step does not start", (decision, message) => {
  const run = played();
  run.succeed("ok", decided(decision));
  const kind = decision.verdict === "withdrawn" ? "input_withdrawn" : "input_denied";
  const error = { kind, message, path: "ok" };
  expect(run.run()).toMatchObject({ state: "failed", error });
  expect(statesOf(run.run())).toEqual({ ok: "failed" });
});

test.each(["deny", "expired", "withdrawn"] as const)("with on_denied continue, the next step sees %s", (verdict) => {
  const run = played({ on_denied: "continue" });
  run.succeed("ok", decided({ verdict }));
  expect(run.taskOf("send").input).toBe(verdict);
});

test("a step that nobody could be asked fails, even with on_denied continue", () => {
  const run = played({ on_denied: "continue" });
  run.succeed("ok", decided({ verdict: "not_asked" }));
  expect(run.run().state).toBe("failed");
});

test("a retry of a denied step asks anew, under another id", () => {
  const run = played();
  run.succeed("ok", decided({ verdict: "deny" }));
  run.retry();
  expect(run.tasks().map(({ task_id }) => task_id)).toEqual(["run-1.ok.2"]);
});

test("the run's deadline does not pass while a person decides, and passes exactly before and after", () => {
  const first = agentStep("first", { next_step: "ok", timeout_ms: 600_000 });
  const run = startedRun({
    definition: workflowOf([first, humanStep(), send({ timeout_ms: 600_000 })]),
    input: { amount: 1 },
  });
  run.pass(20_000);
  run.succeed("first");
  run.pass(3_600_000);
  expect(run.run()).toMatchObject({ state: "running", due_at: null });
  run.pass(7_200_000);
  run.succeed("ok", decided({}));
  // Of 60 s, 20 s had passed.
  expect(run.run().due_at).toBe(run.now() + 40_000);
  run.pass(39_999);
  expect(run.run().state).toBe("running");
  run.pass(1);
  expect(run.run()).toMatchObject({ state: "timed_out", error: { kind: "run_timed_out" } });
});

test("of two people in parallel, the run waits until the second has decided", () => {
  const both: WorkflowStep = { id: "both", type: "parallel", parallel_steps: ["ok", "also"] };
  const definition = workflowOf([both, humanStep({ next_step: null }), humanStep({ id: "also", next_step: null })]);
  const run = startedRun({ definition, input: { amount: 1 } });
  run.pass(100_000);
  run.succeed("ok", decided({}));
  run.pass(100_000);
  expect(run.run().state).toBe("running");
  run.succeed("also", decided({}));
  expect(run.run().state).toBe("succeeded");
});

test("an agent's timeout passes while a person decides next to it", () => {
  const both: WorkflowStep = { id: "both", type: "parallel", parallel_steps: ["ok", "slow"] };
  const slow = agentStep("slow", { timeout_ms: 1_000 });
  const run = startedRun({
    definition: workflowOf([both, humanStep({ next_step: null }), slow]),
    input: { amount: 1 },
  });
  run.pass(1_000);
  expect(run.run()).toMatchObject({ state: "failed", error: { kind: "step_timed_out" } });
  expect(run.canceled).toContain("run-1.ok.1");
});

test("a canceled run withdraws what it asked", () => {
  const run = played();
  run.cancel();
  expect(run.canceled).toEqual(["run-1.ok.1"]);
});

test.each([
  [{ input: "choose" }, "/steps/ok/options", "is missing; the input choose needs it"],
  [{ input: "form" }, "/steps/ok/schema", "is missing; the input form needs it"],
  [{ options: [{ value: "a", label: "A" }] }, "/steps/ok/options", "fits only the input choose"],
  [{ input: "text", action: { tool: "t", arguments: {} } }, "/steps/ok/action", "fits only the input approve"],
  [
    { input: "choose", options: ["A", "B"].map((label) => ({ value: "a", label })) },
    "/steps/ok/options",
    "has the value a twice",
  ],
  [
    { input: "form", schema: { type: "object", properties: { n: { type: "string" } }, required: ["m"] } },
    "/steps/ok/schema/required",
    "names an unknown field: m",
  ],
  [{ decide: {} }, "/steps/ok/decide", "names no approver; set people or groups, or requester to true"],
  [
    { decide: { people: ["U1", "U1"], requester: true, approve: 3 } },
    "/steps/ok/decide/approve",
    "needs 3 votes, but only 2 can decide",
  ],
  [{ prompt: "${workflow.output}" }, "/steps/ok/prompt", "${workflow.output} is unknown: workflow has only an input"],
  [
    { action: { tool: "t", arguments: { a: "${gone.output}" } } },
    "/steps/ok/action/arguments/a",
    "${gone.output} names an unknown step",
  ],
])("%o is reported when the workflow is stored", (more, pointer, message) => {
  const problems = validateWorkflow(plan([{ ...humanStep(), ...more }, { ...send() }]));
  expect(problems).toEqual([{ pointer, message: expect.stringContaining(message) as unknown }]);
});

test("groups can have any number of members, and a decision has only its own fields", () => {
  const many = { decide: { groups: ["S1"], approve: 5 } };
  const steps = (field: string) => [
    { ...humanStep(many) },
    { ...agentStep("send", { input_mapping: `\${ok.output.${field}}` }) },
  ];
  expect(readWorkflow(plan(steps("value"))).problems).toEqual([]);
  expect(readWorkflow(plan(steps("values.a"))).problems).toEqual([]);
  expect(readWorkflow(plan(steps("text"))).problems).toMatchObject([
    { message: expect.stringContaining("it has: verdict") as unknown },
  ]);
});

describe("a step that names its approval", () => {
  const action = { tool: "send-agent", arguments: { to: "Acme" } };
  const bound = (more: Partial<AgentStep> = {}): AgentStep =>
    send({ input_mapping: "${ok.output.action.arguments}", approved_by: "ok", ...more });
  const approved = decided({ action, execute_until: "1970-01-01T01:00:00.000Z" });
  const message = (why: string): string => `${why} Start the run again to ask anew.`;

  test("calls exactly what was approved", () => {
    const run = played({ action }, [bound()]);
    run.succeed("ok", approved);
    expect(run.taskOf("send")).toMatchObject({ agent_name: "send-agent", input: action.arguments });
  });

  test.each<[string, { readonly step?: Partial<AgentStep> } & Partial<StepDecision>, string]>([
    [
      "an input that differs",
      { step: { input_mapping: { to: "Evil" } } },
      "The call is not the one that was approved.",
    ],
    ["another tool", { action: { ...action, tool: "other" } }, "The call is not the one that was approved."],
    ["no action", { step: { input_mapping: null }, action: undefined }, "The call is not the one that was approved."],
    ["a denial that the run tolerates", { verdict: "deny" }, "The call was not approved."],
    ["one millisecond too late", { execute_until: "1969-12-31T23:59:59.999Z" }, "The approval is void: it is too old."],
  ])("fails with %s, and its agent is not called", (_, { step, ...decision }, why) => {
    const run = played({ action, on_denied: "continue" }, [bound(step)]);
    run.succeed("ok", { ...approved, ...decision });
    const error = { kind: "input_denied", message: message(why), path: "send" };
    expect(run.run()).toMatchObject({ state: "failed", error });
    expect(run.dispatched.map(({ step_id }) => step_id)).toEqual(["ok"]);
  });

  test("uses its approval once: a retry of the run does not call again", () => {
    const run = played({ action }, [bound()]);
    run.succeed("ok", approved);
    run.fail("send");
    run.retry();
    expect(run.run()).toMatchObject({ state: "failed", error: { message: message("The approval was used.") } });
    expect(run.dispatched.filter(({ step_id }) => step_id === "send")).toHaveLength(1);
  });

  const ask = { ...humanStep({ action }) };
  test.each<[string, readonly WorkflowStep[], string]>([
    ["an agent step", [agentStep("ok", { next_step: "send" }), bound({ input_mapping: {} })], "must name a human step"],
    ["no action", [humanStep(), bound({ input_mapping: {} })], "must name a human step"],
    ["another agent", [ask, bound({ agent_name: "other" })], "which approves a call of send-agent, not of other"],
    [
      "an approval that is already used",
      [ask, bound({ next_step: "more" }), bound({ id: "more" })],
      "which approves the call of send; one approval is for one call",
    ],
    [
      "itself first",
      [bound({ input_mapping: {}, next_step: "ok" }), humanStep({ action, next_step: null })],
      "not surely ended",
    ],
    [
      "an approval outside of its loop",
      [{ ...ask, next_step: "each" }, loopStep("each", { collection: ["a"], loop_body: ["send"] }), bound()],
      "which is outside of the loop",
    ],
  ])("is invalid with %s", (_, steps, expected) => {
    const problems = validateWorkflow(workflowOf(steps));
    expect(problems).toEqual([
      {
        pointer: expect.stringMatching(/approved_by$/) as string,
        message: expect.stringContaining(expected) as string,
      },
    ]);
  });
});
