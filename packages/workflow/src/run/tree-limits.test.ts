import type { WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { treeLimits } from "../steps/run-record.ts";
import { playRun } from "../testing/play-run.ts";
import { loopStep, workflowOf } from "../testing/workflow-of.ts";

const items = Array.from({ length: 300 }, (_, n) => n);
const prompt: WorkflowStep = { id: "one", type: "prompt", prompt: "hi", on_error: "continue" };
const pause: WorkflowStep = { id: "one", type: "wait", for_ms: 1_000 };

const started = (step: WorkflowStep, execution_mode: "parallel" | "sequential", tree = true) => {
  const loop = loopStep("each", { collection: items, loop_body: ["one"], execution_mode, max_parallelism: 300 });
  const limits = { max_running: 1_000, ...(tree && { tree: treeLimits }) };
  const played = playRun({ definition: workflowOf([loop, step]), limits });
  played.start();
  return played;
};

test("X17: the step of a run alone that would pass a limit fails it, and the error names the limit", () => {
  const played = started(pause, "parallel");
  expect(played.dispatched).toEqual([]);
  const error = { kind: "run_too_large", path: "each[200].one" };
  expect(played.run()).toMatchObject({ state: "failed", error });
  expect(played.run().error?.message).toContain("can have 200 steps that wait at the same time");
  expect(played.run().steps.get("each[200].one")).toMatchObject({ state: "failed", error });
});

test("X17: a wait that ends gives its place to the next one", () => {
  const played = started(pause, "sequential");
  for (let passed = 0; passed < 299; passed += 1) played.pass(1_000);
  expect(played.run().state).toBe("running");
  played.pass(1_000);
  expect(played.run().state).toBe("succeeded");
});

test.each([
  ["a run that began before there was the limit ends as it would have", false, ["succeeded", 300]],
  ["paid calls count in all attempts, also those of a retry", true, ["failed", 200]],
] as const)("X17: %s", (_, tree, end) => {
  const played = started(prompt, "sequential", tree);
  while (played.tasks().length > 0) {
    const [task] = played.tasks();
    played.fail(task?.path ?? "");
  }
  expect([played.run().state, played.dispatched.length]).toEqual(end);
  if (tree) played.retry();
  expect([played.run().state, played.dispatched.length]).toEqual(end);
});
