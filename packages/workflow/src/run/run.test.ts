import { describe, expect, test } from "vitest";
import { playRun, resultOf, statesOf } from "../testing/play-run.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const chain = workflowOf([
  agentStep("a", { input_mapping: "${workflow.input}", next_step: "b" }),
  agentStep("b", { input_mapping: "${a.output}" }),
]);

describe("deadlines", () => {
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
});

describe("run bytes", () => {
  test("a step's output counts towards the run's size limit; one byte over it fails the step and discards the output", () => {
    // "in" has 4 bytes as JSON and is also the input of a; "é" has two bytes.
    const exact = playRun({ definition: chain, input: "in", limits: { max_bytes: 4 + 4 + 5 + 5 + 6 } });
    exact.start();
    exact.succeed("a", "é!");
    exact.succeed("b", "four");
    expect(exact.run()).toMatchObject({ state: "succeeded", output: "four", bytes: 24 });

    const short = playRun({ definition: chain, input: "in", limits: { max_bytes: 23 } });
    short.start();
    short.succeed("a", "é!");
    short.succeed("b", "four");
    expect(short.run()).toMatchObject({
      state: "failed",
      bytes: 18,
      error: {
        kind: "run_too_large",
        path: "b",
        message:
          'The output of the step "b" has 6 bytes, and the run already had 18. Its inputs and outputs would exceed the limit of 23 bytes.',
      },
    });
    expect(short.run().steps.get("b")?.output).toBeUndefined();
  });

  test("a step with oversized input is not dispatched, and the plan can tolerate its failure", () => {
    const steps = [
      agentStep("a", { input_mapping: "${workflow.input}", on_error: "continue", next_step: "b" }),
      agentStep("b", { input_mapping: "x" }),
    ];
    const played = playRun({ definition: workflowOf(steps), input: "x".repeat(50), limits: { max_bytes: 60 } });
    const { commands } = played.start();
    expect(commands).toMatchObject([{ type: "dispatch", path: "b" }]);
    expect(played.run().steps.get("a")).toMatchObject({ state: "failed", error: { kind: "run_too_large" } });
    played.succeed("b", 1);
    expect(statesOf(played.run())).toEqual({ a: "failed", b: "succeeded" });
  });

  test("agents' failure messages count towards the size limit, and are dropped if they would exceed it", () => {
    const definition = workflowOf([
      agentStep("a", { input_mapping: 1, on_error: "continue", next_step: "b" }),
      agentStep("b", { input_mapping: 1, on_error: "continue" }),
    ]);
    const played = playRun({ definition, input: 1, limits: { max_bytes: 200 } });
    played.start();
    const said = { kind: "unreachable" as const, message: "No.", retryable: false, data: "x".repeat(80) };
    const bytes = JSON.stringify(said).length;
    for (const path of ["a", "b"]) {
      const result = { ...resultOf(played.taskOf(path), { message: "No." }), error: said };
      played.send({ type: "result_received", at: 1, result });
    }
    expect(played.run()).toMatchObject({ state: "succeeded", bytes: 3 + bytes });
    expect(played.run().steps.get("a")?.error).toMatchObject({ kind: "agent_failed", agent_error: said });
    expect(played.run().steps.get("b")?.error).toEqual({
      kind: "run_too_large",
      path: "b",
      message: expect.stringContaining(`The agent's error in the step "b" has ${String(bytes)} bytes`) as unknown,
    });
  });
});
