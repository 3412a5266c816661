import type { ForkJoinStep, WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { startedRun, resultOf, statesOf, type PlayedRun } from "../testing/play-run.ts";
import { agentStep, forkStep, workflowOf } from "../testing/workflow-of.ts";

function start(config: Partial<ForkJoinStep["fork_join_config"]>, isFollowed = false): PlayedRun {
  const branches = { one: { steps: ["a"] }, two: { steps: ["b"] }, three: { steps: ["c"] } };
  const fork = forkStep({ branches, join_policy: "all", ...config }, { next_step: isFollowed ? "end" : null });
  const agents = ["a", "b", "c"].map((id) => agentStep(id));
  const steps = [fork, ...agents, agentStep("end", { input_mapping: "${fork.output}" })];
  return startedRun({ definition: workflowOf(steps) });
}

test("B20: `any` completes with the first success, cancels the other branches, and the run continues with the winner's output", () => {
  const played = start({ join_policy: "any" }, true);
  const losers = ["a", "c"].map((path) => played.taskOf(path).task_id);
  played.succeed("b", "B");
  expect(played.canceled).toEqual(losers);
  expect(statesOf(played.run())).toEqual({
    fork: "succeeded",
    a: "canceled",
    b: "succeeded",
    c: "canceled",
    end: "running",
  });
  expect(played.taskOf("end").input).toEqual({ two: "B" });
});

test("B20: a fork that can no longer succeed fails, and is never reported as complete", () => {
  const played = start({ join_policy: "majority" }, true);
  played.fail("a", "No.");
  expect(played.run().state).toBe("running");
  played.fail("b", "Never.");
  expect(played.canceled).toEqual(["run-1.c.1"]);
  expect(statesOf(played.run())).toEqual({ fork: "failed", a: "failed", b: "failed", c: "canceled" });
  expect(played.run().error).toEqual({
    kind: "join_failed",
    message: 'Too few branches of the fork "fork" succeeded. No. Never.',
    path: "fork",
  });
  const impossible = start({ join_policy: "n_of_m", n_required: 4 });
  expect(impossible.dispatched).toEqual([]);
  expect(impossible.run().state).toBe("failed");
});

test("B20: a branch that exceeds its timeout is abandoned, and the others decide", () => {
  const played = start({ join_policy: "n_of_m", n_required: 2, branch_timeout_ms: 300 });
  expect(played.run().due_at).toBe(played.now() + 300);
  played.succeed("a");
  played.pass(300);
  expect(played.canceled).toEqual(["run-1.b.1", "run-1.c.1"]);
  expect(played.run().error?.message).toContain('The branch "two" (b) timed out.');
  played.retry();
  expect(played.tasks().map((task) => task.task_id)).toEqual(["run-1.b.2", "run-1.c.2"]);
  played.pass(299);
  played.succeed("c");
  expect(played.run().state).toBe("succeeded");
});

test("B20: the output of a losing branch is unavailable to later steps", () => {
  const fork = forkStep({}, { next_step: "end" });
  const end = agentStep("end", { input_mapping: ['${a.output ?? "none"}', "${b.output}"] });
  const won = (path: string): PlayedRun => {
    const played = startedRun({ definition: workflowOf([fork, agentStep("a"), agentStep("b"), end]) });
    played.succeed(path, path);
    return played;
  };
  expect(won("b").taskOf("end").input).toEqual(["none", "b"]);
  expect(won("a").run().error).toMatchObject({ kind: "mapping_failed", path: "end" });
});

test("B20: a failed branch whose failure is tolerated has not won; a branch that completes at its deadline has", () => {
  const fork = forkStep({ branches: { one: { steps: ["p"], timeout_ms: 300 }, two: { steps: ["b"] } } });
  const inside: WorkflowStep = { id: "p", type: "parallel", parallel_steps: ["a"] };
  const played = startedRun({
    definition: workflowOf([fork, inside, agentStep("a"), agentStep("b", { on_error: "continue" })]),
  });
  const result = resultOf(played.taskOf("a"), { output: "A" });
  played.send({ type: "result_received", at: played.now() + 300, result });
  expect(played.run()).toMatchObject({ state: "succeeded" });
  expect(played.run().output).toEqual({ one: { a: "A" } });
});

test("B20: branches that time out one after the other are all reported, and none of them starts a step afterwards", () => {
  const fork = forkStep({
    branches: {
      one: { steps: ["a"], timeout_ms: 300 },
      two: { steps: ["b", "b2"], timeout_ms: 500 },
      three: { steps: ["c"] },
    },
  });
  const played = startedRun({ definition: workflowOf([fork, ...["a", "b", "b2", "c"].map((id) => agentStep(id))]) });
  const result = resultOf(played.taskOf("b"), { output: "B" });
  played.pass(300);
  played.send({ type: "result_received", at: played.now() + 200, result });
  expect(statesOf(played.run())).toEqual({ fork: "running", a: "canceled", b: "succeeded", c: "running" });
  played.fail("c", "No.");
  expect(played.run().error?.message).toContain('The branch "one" (a) timed out.');
  expect(played.run().error?.message).toContain('The branch "two" (b, b2) timed out.');
});

test("a task's timeout never exceeds the time left of its enclosing steps", () => {
  const forkOf = (id: string, inside: string, timeout_ms: number) =>
    forkStep({ branches: { only: { steps: [inside], timeout_ms } }, join_policy: "all" }, { id });
  const definition = workflowOf([
    { id: "all", type: "parallel", parallel_steps: ["outer", "b"] },
    forkOf("outer", "inner", 300),
    forkOf("inner", "a", 500),
    agentStep("a"),
    agentStep("b"),
  ]);
  const played = startedRun({ definition, limits: { deadline_ms: 400 } });
  expect(played.taskOf("a").deadline).toBe(played.now() + 300);
  expect(played.taskOf("b").deadline).toBe(played.now() + 400);
});
