import type { WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { createExpressions } from "../expressions/expressions.ts";
import { PlanFault } from "../mapping/scope.ts";
import { generousLimits, playRun, resultOf, statesOf } from "../testing/play-run.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { reduceNow } from "../testing/reduce-now.ts";
import { newRun } from "../state/run-record.ts";

const twoSteps = workflowOf([
  agentStep("ask", { next_step: "tell" }),
  agentStep("tell", { input_mapping: "${ask.output.words}" }),
]);

test("B6: a plan that cannot be executed fails its run with a message", () => {
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

test("B6: an internal error during a run cancels its tasks, and its details stay private", () => {
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

test("B10: a failed step is not attempted again unless the run is retried", () => {
  const played = playRun({ definition: twoSteps });
  played.start();
  played.fail("ask", "No.");
  expect(played.run()).toMatchObject({ state: "failed", error: { kind: "agent_failed", message: "No.", path: "ask" } });
  played.pass(1_000_000);
  expect(played.dispatched.map((task) => task.task_id)).toEqual(["run-1.ask.1"]);
  played.retry();
  expect(played.dispatched.map((task) => task.task_id)).toEqual(["run-1.ask.1", "run-1.ask.2"]);
});

test("B11: a late result of an earlier attempt changes nothing, and that attempt was canceled", () => {
  const played = playRun({ definition: twoSteps });
  played.start();
  const first = played.taskOf("ask");
  played.pass(generousLimits.step_timeout_ms);
  expect(played.canceled).toEqual([first.task_id]);
  const late = {
    type: "result_received",
    at: played.now(),
    result: resultOf(first, { output: { words: "late" } }),
  } as const;
  expect(played.send(late)).toEqual({ run: played.run(), commands: [] });
  played.retry();
  const before = played.run();
  expect(played.send(late).run).toBe(before);
  played.succeed("ask", { words: "in time" });
  expect(played.taskOf("tell").input).toBe("in time");
  expect(played.send(late).commands).toEqual([]);
});

test("B11, B12: a result that is a duplicate, belongs to another run or matches no task changes nothing", () => {
  const played = playRun({ definition: twoSteps });
  played.start();
  const task = played.taskOf("ask");
  const before = played.run();
  const strangers = [
    { ...resultOf(task, { output: 1 }), run_id: "run-2" },
    resultOf({ task_id: "run-1.ask.2" }, { output: 2 }),
    resultOf({ task_id: "toString" }, { output: 3 }),
    resultOf({ task_id: "__proto__" }, { output: 4 }),
  ];
  for (const result of strangers) played.send({ type: "result_received", at: 5000, result });
  expect(played.run()).toBe(before);
  played.succeed("ask", { words: "one" });
  const after = played.run();
  played.send({ type: "result_received", at: 5000, result: resultOf(task, { output: { words: "two" } }) });
  expect(played.run()).toBe(after);
});

test("B12: of a cancel and the last result, the first one wins", () => {
  const canceledFirst = playRun({ definition: workflowOf([agentStep("ask")]) });
  canceledFirst.start();
  const task = canceledFirst.taskOf("ask");
  canceledFirst.cancel();
  canceledFirst.send({ type: "result_received", at: 2000, result: resultOf(task, { output: 1 }) });
  expect(canceledFirst.run()).toMatchObject({ state: "canceled", error: { kind: "canceled" } });
  expect(canceledFirst.canceled).toEqual([task.task_id]);
  expect(canceledFirst.retry().commands).toEqual([]);

  const doneFirst = playRun({ definition: workflowOf([agentStep("ask")]) });
  doneFirst.start();
  doneFirst.succeed("ask", 1);
  expect(doneFirst.cancel().commands).toEqual([]);
  expect(doneFirst.run()).toMatchObject({ state: "succeeded", output: 1 });
});

test("B18: a condition on an earlier step's output decides by its value; a condition that cannot be evaluated fails the step", () => {
  const definition = (expression: string): typeof twoSteps =>
    workflowOf([
      agentStep("ask-1", { next_step: "check" }),
      { id: "check", type: "conditional", condition: { expression }, if_true_step: "yes", if_false_step: "no" },
      agentStep("yes"),
      agentStep("no"),
    ]);
  const after = (expression: string): ReturnType<typeof playRun> => {
    const played = playRun({ definition: definition(expression) });
    played.start();
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

test("B21: a step without a type is an agent step", () => {
  const { type: _, ...untyped } = agentStep("ask");
  const played = playRun({ definition: workflowOf([untyped as WorkflowStep]) });
  played.start();
  expect(played.taskOf("ask").agent_name).toBe("ask-agent");
});

test("B21: a retry uses the run's original plan and decisions", () => {
  const definition = workflowOf([
    {
      id: "check",
      type: "conditional",
      condition: { expression: "workflow.input.isNew" },
      if_true_step: "yes",
      if_false_step: null,
    },
    agentStep("yes"),
  ]);
  const played = playRun({ definition, input: { isNew: true } });
  played.start();
  played.fail("yes");
  played.retry();
  expect(statesOf(played.run())).toEqual({ check: "running", yes: "running" });
  played.succeed("yes", "done");
  expect(played.run()).toMatchObject({ state: "succeeded", output: "done" });
  expect(played.run().steps.get("yes")).toMatchObject({ attempt: 2 });
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
