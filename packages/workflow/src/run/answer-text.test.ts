import { expect, test } from "vitest";
import { playRun, type PlayedRun } from "../testing/play-run.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

/** Runs one agent step and returns the run, whose output mapping is given. */
function ask(output: unknown, mapping: unknown): PlayedRun {
  const played = playRun({ definition: workflowOf([agentStep("b")], { output_mapping: mapping }) });
  played.start();
  played.succeed("b", output);
  return played;
}

const message = { parts: [{ kind: "data", data: { n: 1 } }] };

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
  const played = playRun({ definition });
  played.start();
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
  const played = playRun({ definition, input: [1, 2, 3] });
  played.start();
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
  const played = playRun({ definition });
  played.start();
  played.succeed("b", output);
  expect(played.run().error).toBeUndefined();
  expect(played.dispatched.at(-1)?.step_id).toBe(holds ? "yes" : "no");
});
