import type { ParallelStep, WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { createExpressions } from "../expressions/condition.ts";
import { PlanFault } from "../mapping/scope.ts";
import { newRun, taskIdOf } from "../steps/run-record.ts";
import { playRun, startedRun, statesOf, generousLimits, resultOf, reduceNow } from "../testing/play-run.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

function parallelOf(more: Partial<ParallelStep> = {}): readonly WorkflowStep[] {
  const both: ParallelStep = { id: "both", type: "parallel", parallel_steps: ["a", "b"], next_step: "end", ...more };
  return [both, agentStep("a"), agentStep("b"), agentStep("end", { input_mapping: "${both.output}" })];
}

test("parallel steps: the first failure cancels the others", () => {
  const played = startedRun({ definition: workflowOf(parallelOf()) });
  played.fail("b", "No.");
  expect(played.canceled).toEqual(["run-1.a.1"]);
  expect(statesOf(played.run())).toEqual({ both: "failed", a: "canceled", b: "failed" });
  expect(played.run().steps.get("both")?.error).toEqual({ kind: "step_failed", message: "No.", path: "b" });
  expect(played.run().error).toEqual({ kind: "agent_failed", message: "No.", path: "b" });
});

test("a task that would be canceled immediately is not dispatched", () => {
  const steps = parallelOf().map((step) =>
    step.id === "b" ? agentStep("b", { input_mapping: "${workflow.input.nothing}" }) : step,
  );
  const played = playRun({ definition: workflowOf(steps) });
  const { commands } = played.start();
  expect(commands.map((command) => command.type)).toEqual(["end"]);
  expect(statesOf(played.run())).toEqual({ both: "failed", a: "canceled", b: "failed" });
});

test("a conditional follows its branch to the end, then continues; without a branch it continues immediately", () => {
  const run = (isTrue: boolean) => {
    return startedRun({
      definition: workflowOf([
        {
          id: "check",
          type: "conditional",
          condition: { expression: String(isTrue) },
          if_true_step: "a",
          next_step: "end",
        },
        agentStep("a", { next_step: "b" }),
        agentStep("b", { next_step: "end" }),
        agentStep("end", { input_mapping: { check: "${check.output}" } }),
      ]),
    });
  };
  const long = run(true);
  long.succeed("a");
  long.succeed("b", "B");
  expect(long.taskOf("end").input).toEqual({ check: "B" });
  expect(run(false).taskOf("end").input).toEqual({ check: null });
});

test("a task's id is stable for an attempt and never exceeds the bus limit", () => {
  const path = Array.from({ length: 12 }, (_, index) => `${"long".repeat(10)}[${String(index)}]`).join(".");
  const ids = [taskIdOf("run", path, 1), taskIdOf("run", path, 2), taskIdOf("run", `${path}.x`, 1)];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^run\.long[!-~]{1,247}$/);
  expect(taskIdOf("run", path, 1)).toBe(ids[0]);
});

const twoSteps = workflowOf([
  agentStep("ask", { next_step: "tell" }),
  agentStep("tell", { input_mapping: "${ask.output.words}" }),
]);

test("a plan that cannot be executed fails its run with a message", () => {
  const plans = [
    { ...twoSteps, start_step: "gone" },
    workflowOf([agentStep("a", { next_step: "b" }), agentStep("b", { next_step: "a" })]),
    workflowOf([{ id: "p", type: "parallel", parallel_steps: ["p"] }]),
    workflowOf([{ id: "l", type: "loop", loop_config: { collection: [1], loop_body: ["l"] } }]),
  ];
  const words = plans.map((definition) => {
    const run = newRun({ run_id: "run-1", at: 0, input: {}, limits: generousLimits });
    const reduction = reduceNow({ definition, input: {}, expressions: createExpressions() }, run, {
      type: "run_started",
      at: 1,
    });
    expect(reduction.run.state).toBe("failed");
    expect(reduction.commands.map((command) => command.type)).toEqual(["end"]);
    expect(reduction.fault).toBeInstanceOf(Error);
    return reduction.run.error?.message;
  });
  expect(words).toEqual([
    'The plan has no step "gone".',
    'The steps of the plan form a cycle at "a".',
    'The step "p" of the plan contains itself.',
    'The step "l" of the plan contains itself.',
  ]);
});

test("an internal error during a run cancels its tasks, and its details stay private", () => {
  let isBroken = false;
  const expressions = {
    ...createExpressions(),
    condition: () => {
      isBroken = true;
      throw new TypeError("secret of the heap");
    },
  };
  const definition = workflowOf([
    { id: "both", type: "parallel", parallel_steps: ["slow", "check"] },
    agentStep("slow"),
    { id: "check", type: "conditional", condition: { expression: "true" } },
  ]);
  const run = newRun({ run_id: "run-1", at: 0, input: {}, limits: generousLimits });
  const {
    run: ended,
    commands,
    fault,
  } = reduceNow({ definition, input: {}, expressions }, run, { type: "run_started", at: 1 });
  expect(isBroken).toBe(true);
  expect(commands.map((command) => command.type)).toEqual(["end"]);
  expect(ended).toMatchObject({ state: "failed", tasks: {}, error: { kind: "internal" } });
  expect(ended.error?.message).not.toContain("secret");
  expect(String(fault)).toContain("secret");
});

test("B18: a condition on an earlier step's output decides by its value; a condition that cannot be evaluated fails the step", () => {
  const definition = (expression: string): typeof twoSteps =>
    workflowOf([
      agentStep("ask-1", { next_step: "check" }),
      { id: "check", type: "conditional", condition: { expression }, if_true_step: "yes", if_false_step: "no" },
      agentStep("yes"),
      agentStep("no"),
    ]);
  const after = (expression: string) => {
    const played = startedRun({ definition: definition(expression) });
    played.succeed("ask-1", { good: true, bad: false, text: "false" });
    return played;
  };
  expect(after("${ask-1.output.good}").taskOf("yes").path).toBe("yes");
  expect(after('steps["ask-1"].output.bad').taskOf("no").path).toBe("no");
  expect(after('steps["ask-1"].output.text.contains("als")').taskOf("yes").path).toBe("yes");
  expect(after("${ask-1.output.nothing}").run()).toMatchObject({
    state: "failed",
    error: { kind: "condition_failed", path: "check" },
  });
  const neither = after("${ask-1.output.text}");
  expect(neither.run().error?.message).toBe(
    "The condition is neither true nor false. Compare its value with something.",
  );
  expect(statesOf(neither.run())).toEqual({ "ask-1": "succeeded", check: "failed" });
});

test("B11: an agent's result is kept when the run fails on it, and a retry does not call the agent again", () => {
  let isBroken = true;
  const known = createExpressions();
  const expressions: typeof known = {
    ...known,
    resolve: (mapping, scope) => {
      if (isBroken && mapping !== null) throw new PlanFault("It took too long.");
      return known.resolve(mapping, scope);
    },
  };
  const definition = workflowOf([
    agentStep("ask", { input_mapping: null, next_step: "tell" }),
    agentStep("tell", { input_mapping: "${ask.output}" }),
  ]);
  const plan = { definition, input: {}, expressions };
  const run = newRun({ run_id: "run-1", at: 0, input: {}, limits: generousLimits });
  const started = reduceNow(plan, run, { type: "run_started", at: 1 });
  const result = resultOf({ task_id: "run-1.ask.1" }, { output: "done" });
  const broken = reduceNow(plan, started.run, { type: "result_received", at: 2, result });
  expect(broken.run).toMatchObject({ state: "failed", tasks: {}, error: { message: "It took too long." } });
  expect(broken.run.steps.get("ask")).toMatchObject({ state: "succeeded", output: "done" });
  expect(broken.commands.map(({ type }) => type)).toEqual(["end"]);
  isBroken = false;
  const retried = reduceNow(plan, broken.run, { type: "retry_requested", at: 3 });
  expect(retried.commands).toMatchObject([{ type: "dispatch", path: "tell", input: "done" }]);
});
