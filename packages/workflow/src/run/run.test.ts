import { describe, expect, test } from "vitest";
import { type PlayedRun, playRun, startedRun, resultOf, statesOf } from "../testing/play-run.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

const chain = workflowOf([
  agentStep("a", { input_mapping: "${workflow.input}", next_step: "b" }),
  agentStep("b", { input_mapping: "${a.output}" }),
]);

/** Runs one agent step and returns the run, whose output mapping is given. */
function ask(output: unknown, mapping: unknown): PlayedRun {
  const played = startedRun({ definition: workflowOf([agentStep("b")], { output_mapping: mapping }) });
  played.succeed("b", output);
  return played;
}

const message = { parts: [{ kind: "data", data: { n: 1 } }] };

describe("run", () => {
  describe("deadlines", () => {
    test("a step without a result fails at its timeout, and its task is canceled", () => {
      const played = startedRun({ definition: workflowOf([agentStep("ask", { timeout_ms: 500 })]) });
      expect(played.run().due_at).toBe(played.now() + 500);
      expect(played.taskOf("ask").deadline).toBe(played.now() + 500);
      expect(played.pass(499).run.state).toBe("running");
      played.pass(1);
      expect(played.canceled).toEqual(["run-1.ask.1"]);
      expect(played.run().error).toEqual({
        kind: "step_timed_out",
        message: 'No answer of the agent "ask-agent" came within the timeout of the step "ask".',
        path: "ask",
      });
    });

    test("a run ends at its deadline, whatever its steps are waiting for", () => {
      const definition = workflowOf([agentStep("ask", { timeout_ms: 50_000, next_step: "tell" }), agentStep("tell")]);
      const played = startedRun({ definition, limits: { deadline_ms: 1000 } });
      expect(played.taskOf("ask").deadline).toBe(played.now() + 1000);
      played.pass(1000);
      expect(played.run()).toMatchObject({ state: "timed_out", error: { kind: "run_timed_out" }, due_at: null });
      expect(statesOf(played.run())).toEqual({ ask: "canceled" });
      expect(played.canceled).toEqual(["run-1.ask.1"]);
    });

    test("a result at the deadline completes the run only if it is the last; otherwise the run times out", () => {
      for (const [isLast, state] of [
        [true, "succeeded"],
        [false, "timed_out"],
      ] as const) {
        const steps = [agentStep("ask", isLast ? {} : { next_step: "tell" }), agentStep("tell")];
        const played = startedRun({ definition: workflowOf(steps), limits: { deadline_ms: 1000 } });
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
      const exact = startedRun({ definition: chain, input: "in", limits: { max_bytes: 4 + 4 + 5 + 5 + 6 } });
      exact.succeed("a", "é!");
      exact.succeed("b", "four");
      expect(exact.run()).toMatchObject({ state: "succeeded", output: "four", bytes: 24 });

      const short = startedRun({ definition: chain, input: "in", limits: { max_bytes: 23 } });
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
      const played = startedRun({ definition, input: 1, limits: { max_bytes: 200 } });
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
});

describe("answer text", () => {
  test.each([
    [{ text: "the artifacts", response: "the message" }, "the artifacts"],
    [{ response: "the message" }, "the message"],
    ["plain text", "plain text"],
    [{ status: "ok" }, '{"status":"ok"}'],
    [[1, 2], "[1,2]"],
    [42, "42"],
    [{ artifacts: [message, message], context_id: "c" }, '{"n":1}\n{"n":1}'],
    [{ message }, '{"n":1}'],
  ])("an agent that answers with %j has an output.text, whatever its protocol", (output, text) => {
    expect(ask(output, "${b.output.text}").run()).toMatchObject({ state: "succeeded", output: text });
    expect(ask(output, "«${steps.b.output.text}»").run().output).toBe(`«${text}»`);
  });

  test("reading the text of an answer changes neither the stored output nor what later agents receive", () => {
    const given = { response: "hello" };
    const definition = workflowOf([
      agentStep("b", { next_step: "c" }),
      agentStep("c", { input_mapping: { words: "${b.output.text}", all: "${b.output}" } }),
    ]);
    const played = startedRun({ definition });
    played.succeed("b", given);
    expect(JSON.stringify(played.taskOf("c").input)).toBe('{"words":"hello","all":{"response":"hello"}}');
    expect(JSON.stringify(played.run().steps.get("b")?.output)).toBe('{"response":"hello"}');
    expect(given).toEqual({ response: "hello" });
  });

  test("the text of an answer is found inside parallel steps, loops, and the items of a loop over answers", () => {
    const definition = workflowOf(
      [
        loopStep(
          "each",
          { collection: "${workflow.input}", loop_body: ["ask"], on_error: "collect" },
          { next_step: "again" },
        ),
        agentStep("ask"),
        loopStep("again", { collection: "${each.output}", loop_body: ["tell"], on_error: "collect" }),
        agentStep("tell", { input_mapping: "${item.text}" }),
      ],
      { output_mapping: { first: "${each.output[0].text}", second: "${each.output[1].text}" } },
    );
    const played = startedRun({ definition, input: [1, 2, 3] });
    played.succeed("each[0].ask", { response: "one" });
    played.succeed("each[1].ask", "two");
    played.fail("each[2].ask", "No.");
    expect(played.dispatched.slice(3).map(({ input }) => input)).toEqual(["one"]);
    played.succeed("again[0].tell");
    played.succeed("again[1].tell");
    expect(played.run()).toMatchObject({ state: "succeeded", output: { first: "one", second: "two" } });
    expect(played.run().steps.get("again[2].tell")?.error?.message).toBe("`item` has no field `text`. It has: error.");
  });

  test.each([
    ["steps.b.output.text == 'hello'", { response: "hello" }, true],
    ["steps.b.output.text == 'hello'", "hello", true],
    ["steps.b.output == 'hello' && steps.b.output.text.startsWith('he')", "hello", true],
    ["has(steps.b.output.text) && steps['b'].output.text.contains('1')", { n: 1 }, true],
    ["has(steps.b.output.text)", { artifacts: [{ parts: [{ kind: "file" }] }] }, false],
    ["${b.output.text} == 'hello'", { text: "hello", response: "no" }, true],
    ["${b.output.text ?? null} == 'hello'", "hello", true],
  ])("the condition %s reads the text of the answer %j", (expression, output, holds) => {
    const definition = workflowOf([
      agentStep("b", { next_step: "if" }),
      { id: "if", type: "conditional", condition: { expression }, if_true_step: "yes", if_false_step: "no" },
      agentStep("yes"),
      agentStep("no"),
    ]);
    const played = startedRun({ definition });
    played.succeed("b", output);
    expect(played.run().error).toBeUndefined();
    expect(played.dispatched.at(-1)?.step_id).toBe(holds ? "yes" : "no");
  });
});
