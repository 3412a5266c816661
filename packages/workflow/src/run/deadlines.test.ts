import { expect, test } from "vitest";
import { playRun, resultOf, statesOf } from "../testing/play-run.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

test("B6: a step without a result fails at its timeout, and its task is canceled", () => {
  const played = playRun({ definition: workflowOf([agentStep("ask", { timeout_ms: 500 })]) });
  played.start();
  expect(played.run().due_at).toBe(played.now() + 500);
  expect(played.taskOf("ask").deadline).toBe(played.now() + 500);
  expect(played.pass(499).run.state).toBe("running");
  played.pass(1);
  expect(played.canceled).toEqual(["run-1.ask.1"]);
  expect(played.run().error).toEqual({
    kind: "step_timed_out",
    message: 'The agent "ask-agent" did not answer within the timeout of the step "ask".',
    path: "ask",
  });
});

test("B6: a run ends at its deadline, whatever its steps are waiting for", () => {
  const definition = workflowOf([agentStep("ask", { timeout_ms: 50_000, next_step: "tell" }), agentStep("tell")]);
  const played = playRun({ definition, limits: { deadline_ms: 1000 } });
  played.start();
  expect(played.taskOf("ask").deadline).toBe(played.now() + 1000);
  played.pass(1000);
  expect(played.run()).toMatchObject({ state: "timed_out", error: { kind: "run_timed_out" }, due_at: null });
  expect(statesOf(played.run())).toEqual({ ask: "canceled" });
  expect(played.canceled).toEqual(["run-1.ask.1"]);
});

test("B6: a result at the deadline completes the run only if it is the last; otherwise the run times out", () => {
  for (const [isLast, state] of [
    [true, "succeeded"],
    [false, "timed_out"],
  ] as const) {
    const steps = [agentStep("ask", isLast ? {} : { next_step: "tell" }), agentStep("tell")];
    const played = playRun({ definition: workflowOf(steps), limits: { deadline_ms: 1000 } });
    played.start();
    const result = resultOf(played.taskOf("ask"), { output: "just" });
    played.send({ type: "result_received", at: played.now() + 1000, result });
    expect(played.run().state).toBe(state);
    expect(statesOf(played.run())).toEqual({ ask: "succeeded" });
    expect(played.dispatched).toHaveLength(1);
  }
});

test("a timer that fires early, twice or late is harmless, and time never goes backwards", () => {
  const definition = workflowOf([
    agentStep("ask", { timeout_ms: 500, on_error: "continue", next_step: "tell" }),
    agentStep("tell"),
  ]);
  const played = playRun({ definition });
  played.start();
  const before = played.run();
  played.pass(0);
  expect(played.run()).toBe(before);
  played.pass(700);
  const after = played.run();
  expect(statesOf(after)).toEqual({ ask: "failed", tell: "running" });
  played.pass(0);
  expect(played.run()).toBe(after);
  played.send({ type: "result_received", at: 1, result: resultOf(played.taskOf("tell"), { output: "done" }) });
  expect(played.run()).toMatchObject({ state: "succeeded", ended_at: after.updated_at, output: "done" });
});

test("B6: a run waiting for its start has no timer due, and can be canceled", () => {
  const played = playRun({ definition: workflowOf([agentStep("ask")]) });
  const before = played.run();
  expect(before.due_at).toBeNull();
  expect(played.pass(1_000_000_000).run).toBe(before);
  played.cancel();
  expect(played.run()).toMatchObject({ state: "canceled", steps: new Map() });
  expect(played.start().commands).toEqual([]);
});
