import { expect, test } from "vitest";
import { playRun, statesOf } from "../testing/play-run.ts";
import { agent, agentStep, plan, workflowOf } from "../testing/workflow-of.ts";
import { validateWorkflow } from "./read-workflow.ts";

const problemsOf = (source: unknown): string[] =>
  validateWorkflow(source).map(({ pointer, message }) => `${pointer} ${message}`);

/** Ids that CEL does not accept after a dot. */
const awkward = ["a-b", "1st", "in", "true", "null", "false", "import", "loop"];

const decide = (id: string, expression: string): Record<string, unknown> =>
  plan([
    agent(id, { next_step: "choose" }),
    { id: "choose", type: "conditional", condition: { expression }, if_true_step: "yes" },
    agent("yes"),
  ]);

test.each(awkward)("the step %s can be referenced in conditions, in brackets and in ${…}", (id) => {
  for (const expression of [`steps["${id}"].output == 1`, `\${${id}.output} == 1`, `\${steps.${id}.output} == 1`]) {
    expect(problemsOf(decide(id, expression))).toEqual([]);
    const played = playRun({ definition: decide(id, expression) as never });
    played.start();
    played.succeed(id, 1);
    expect(statesOf(played.run())).toEqual({ [id]: "succeeded", choose: "running", yes: "running" });
  }
});

test.each(["a-b", "1st", "in", "true", "null"])(
  "steps.%s in a condition is an error that shows the correct form",
  (id) => {
    expect(problemsOf(decide(id, `steps.${id}.output == 1`))).toEqual([
      expect.stringMatching(/^\/steps\/choose\/condition\/expression .*; write steps\["[^"]+"\]\.output instead of/),
    ]);
  },
);

test.each(["workflow", "steps", "item", "index"])(
  "a step cannot be named %s: references begin with that word",
  (id) => {
    expect(problemsOf(workflowOf([agentStep(id)]))).toContainEqual(
      `/steps/${id}/id is reserved for references (workflow, steps, item, index); choose another name`,
    );
  },
);

const loopOver = (iterator_variable: string): Record<string, unknown> =>
  plan([
    { id: "each", type: "loop", loop_config: { collection: ["x"], iterator_variable, loop_body: ["choose"] } },
    { id: "choose", type: "conditional", condition: { expression: "item == 'x'" }, if_true_step: "yes" },
    agent("yes", { input_mapping: { it: `\${${iterator_variable}}` } }),
  ]);

test.each(["in", "true", "null", "as", "loop", "list", "string", "type", "google"])(
  "an iterator cannot be named %s, a CEL keyword; the error is at its name",
  (name) => {
    expect(problemsOf(loopOver(name))).toContainEqual(
      `/steps/each/loop_config/iterator_variable is a reserved word of CEL, the language of conditions; choose another name, such as ${name}_of_list`,
    );
  },
);

test.each(["workflow", "steps", "index", "yes"])(
  "an iterator cannot be named %s: that name has another meaning",
  (name) => {
    expect(problemsOf(loopOver(name))).toContainEqual(
      expect.stringMatching(/^\/steps\/each\/loop_config\/iterator_variable .*; choose another name$/),
    );
  },
);

test.each(["topic", "item", "size", "has", "constructor"])("an iterator can be named %s", (name) => {
  expect(problemsOf(loopOver(name))).toEqual([]);
});
