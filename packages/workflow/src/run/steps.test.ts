import type { ParallelStep, WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { playRun, statesOf } from "../testing/play-run.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";
import { changedSteps } from "../state/run-record.ts";
import { taskIdOf } from "../state/run-plan.ts";

function parallelOf(more: Partial<ParallelStep> = {}): readonly WorkflowStep[] {
  const both: ParallelStep = { id: "both", type: "parallel", parallel_steps: ["a", "b"], next_step: "end", ...more };
  return [both, agentStep("a"), agentStep("b"), agentStep("end", { input_mapping: "${both.output}" })];
}

test("a sequence passes on outputs of any type, and the run's output is the last one", () => {
  const definition = workflowOf([
    agentStep("ask", { next_step: "tell" }),
    agentStep("tell", { input_mapping: { all: "${ask.output}" } }),
  ]);
  const played = playRun({ definition });
  played.start();
  played.succeed("ask", [1, { two: null }]);
  expect(played.taskOf("tell").input).toEqual({ all: [1, { two: null }] });
  const { commands } = played.succeed("tell", 0);
  expect(commands).toEqual([{ type: "end", state: "succeeded", output: 0 }]);
});

test("an output mapping produces the output of the run, and fails the run if it has no value", () => {
  const good = playRun({
    definition: workflowOf([agentStep("ask")], { output_mapping: { said: "${ask.output.words}" } }),
  });
  good.start();
  good.succeed("ask", { words: "hello" });
  expect(good.run().output).toEqual({ said: "hello" });
  const bad = playRun({ definition: workflowOf([agentStep("ask")], { output_mapping: "${ask.output.words}" }) });
  bad.start();
  bad.succeed("ask", {});
  expect(bad.run()).toMatchObject({
    state: "failed",
    error: { kind: "mapping_failed", message: "`ask.output` has no field `words`. It has: text." },
  });
});

test("a mapping without a value fails its step, and no agent is called", () => {
  const played = playRun({ definition: workflowOf([agentStep("ask", { input_mapping: "${workflow.input.text}" })]) });
  played.start();
  expect(played.dispatched).toEqual([]);
  expect(played.run().error).toEqual({
    kind: "mapping_failed",
    message: "`workflow.input` has no field `text`. It has: no fields.",
    path: "ask",
  });
});

test("parallel steps: the first failure cancels the others", () => {
  const played = playRun({ definition: workflowOf(parallelOf()) });
  played.start();
  played.fail("b", "No.");
  expect(played.canceled).toEqual(["run-1.a.1"]);
  expect(statesOf(played.run())).toEqual({ both: "failed", a: "canceled", b: "failed" });
  expect(played.run().steps.get("both")?.error).toEqual({ kind: "step_failed", message: "No.", path: "b" });
  expect(played.run().error).toEqual({ kind: "agent_failed", message: "No.", path: "b" });
});

test("parallel steps: with `continue` all run to completion, and the output of a failed one is null", () => {
  const played = playRun({ definition: workflowOf(parallelOf({ on_error: "continue" })) });
  played.start();
  played.fail("a");
  played.succeed("b", 2);
  expect(played.taskOf("end").input).toEqual({ a: null, b: 2 });
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

test("a run's concurrent agent tasks are limited, and it continues as they end", () => {
  const loop = loopStep("each", { collection: [1, 2, 3, 4], loop_body: ["ask"], execution_mode: "parallel" });
  const played = playRun({ definition: workflowOf([loop, agentStep("ask")]), limits: { max_running: 3 } });
  played.start();
  expect(played.tasks()).toHaveLength(3);
  played.succeed("each[1].ask");
  expect(played.tasks().map((task) => task.path)).toEqual(["each[0].ask", "each[2].ask", "each[3].ask"]);
});

test("a conditional follows its branch to the end, then continues; without a branch it continues immediately", () => {
  const run = (isTrue: boolean): ReturnType<typeof playRun> => {
    const played = playRun({
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
    played.start();
    return played;
  };
  const long = run(true);
  long.succeed("a");
  long.succeed("b", "B");
  expect(long.taskOf("end").input).toEqual({ check: "B" });
  expect(run(false).taskOf("end").input).toEqual({ check: null });
});

test("B10: a retry restarts failed and canceled steps, and keeps the failures that the plan tolerated", () => {
  const steps = [agentStep("try", { on_error: "continue", next_step: "both" }), ...parallelOf()];
  const played = playRun({ definition: workflowOf(steps), limits: { deadline_ms: 1000 } });
  played.start();
  played.fail("try");
  played.succeed("a", "A");
  played.pass(600);
  played.fail("b");
  const failed = played.run();
  const { commands, run } = played.retry();
  expect(commands).toMatchObject([{ type: "dispatch", path: "b", task_id: "run-1.b.2" }]);
  expect(changedSteps(failed, run).map(([path]) => path)).toEqual(["both", "b"]);
  expect(run).toMatchObject({ state: "running", started_at: failed.started_at, deadline_at: played.now() + 1000 });
  expect(run).not.toHaveProperty("error");
  expect(run).not.toHaveProperty("ended_at");
  played.succeed("b", "B");
  expect(played.taskOf("end").input).toEqual({ a: "A", b: "B" });
  expect(played.succeed("end", "done").run).toMatchObject({ state: "succeeded", output: "done" });
});

test("a task's id is stable for an attempt and never exceeds the bus limit", () => {
  const path = Array.from({ length: 12 }, (_, index) => `${"long".repeat(10)}[${String(index)}]`).join(".");
  const ids = [taskIdOf("run", path, 1), taskIdOf("run", path, 2), taskIdOf("run", `${path}.x`, 1)];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^run\.long[!-~]{1,247}$/);
  expect(taskIdOf("run", path, 1)).toBe(ids[0]);
});
