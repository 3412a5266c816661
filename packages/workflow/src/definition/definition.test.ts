import { basename, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { startedRun, statesOf } from "../testing/play-run.ts";
import { agent, inputProblemsOf, plan, pointersOf, problemsOf } from "../testing/workflow-of.ts";
import { readWorkflowFiles } from "../workflow-files.ts";
import { readWorkflow, validateWorkflow } from "./read-workflow.ts";

const folder = resolve(import.meta.dirname, "../../../../examples/workflows");

const examples = (await readWorkflowFiles(folder)).map(({ path, value }) => ({ file: basename(path), value }));

const inputs: Readonly<Record<string, unknown>> = {
  "loop.json": { texts: ["one", "two"] },
  "review.yaml": { paragraphs: ["One.", "Two."] },
  "send-invoice.yaml": { text: "100 EUR to Acme" },
};

const agents = ["proofreader", "keywords", "fingerprint", "billing"];

/** Ids that CEL does not accept after a dot. */
const awkward = ["a-b", "1st", "in", "true", "null", "false", "import", "loop"];

const decide = (id: string, expression: string): Record<string, unknown> =>
  plan([
    agent(id, { next_step: "choose" }),
    { id: "choose", type: "conditional", condition: { expression }, if_true_step: "yes" },
    agent("yes"),
  ]);

const loopOver = (iterator_variable: string): Record<string, unknown> =>
  plan([
    { id: "each", type: "loop", loop_config: { collection: ["x"], iterator_variable, loop_body: ["choose"] } },
    { id: "choose", type: "conditional", condition: { expression: "item == 'x'" }, if_true_step: "yes" },
    agent("yes", { input_mapping: { it: `\${${iterator_variable}}` } }),
  ]);

describe("examples", () => {
  test.each(examples)(
    "B22: our validator accepts our own example $file with only the sample agents",
    ({ file, value }) => {
      expect(readWorkflow(value, { agents }).problems).toEqual([]);
      expect(inputProblemsOf(value, inputs[file] ?? { text: "Some text." })).toEqual([]);
      expect(inputProblemsOf(value, {})).toEqual([expect.objectContaining({ message: "is missing" })]);
    },
  );

  test("the examples show every step type that needs no event, workflow or model, and each workflow has its own name", () => {
    const definitions = examples.flatMap(({ value }) => readWorkflow(value).definition ?? []);
    const types = definitions.flatMap(({ steps }) => Object.values(steps).map((step) => step?.type));
    expect(new Set(types)).toEqual(new Set(["agent", "conditional", "fork_join", "human", "loop", "parallel"]));
    expect(new Set(definitions.map(({ workflow_id: id }) => id)).size).toBe(examples.length);
  });
});

describe("names", () => {
  test.each(awkward)("the step %s can be referenced in conditions, in brackets and in ${…}", (id) => {
    for (const expression of [`steps["${id}"].output == 1`, `\${${id}.output} == 1`, `\${steps.${id}.output} == 1`]) {
      expect(problemsOf(decide(id, expression))).toEqual([]);
      const played = startedRun({ definition: decide(id, expression) as never });
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
});

describe("slips", () => {
  test("a slip in the type of a step hides none of its other problems, so that one check finds them all", () => {
    const bad = plan(
      [
        agent("check", { type: "agnet", agent_name: "fingerprnt", next_step: "seall" }),
        { id: "seal", agent: "fingerprint", input_mapping: "${chek.output.text}", type: "agent" },
      ],
      { version: 1 },
    );
    expect(validateWorkflow(bad, { agents: ["fingerprint"] }).map((one) => `${one.pointer} ${one.message}`)).toEqual([
      '/version must be string; use quotes, such as "1.0"',
      "/steps/check/type must be one of agent, human, wait, workflow, prompt, parallel, conditional, loop, fork_join; did you mean agent?",
      "/steps/seal/agent_name is missing",
      "/steps/seal/agent is not a known member",
      "/steps/check/next_step names an unknown step: seall; did you mean seal?",
      "/steps/check/agent_name is not a registered agent; did you mean fingerprint?",
      "/steps/seal/input_mapping ${chek.output.text} names an unknown step; did you mean check?",
    ]);
  });

  test("a reference in double braces, which agents would receive as plain text, and a misspelled member of an answer are warnings", () => {
    const source = plan(
      [agent("check", { input_mapping: { a: "{{workflow.input.text}}", b: ["{ {x}} ${workflow.input}"] } })],
      { output_mapping: { text: "${check.output.txt}", other: "${check.output.words}", fine: "${check.output.text}" } },
    );
    expect(readWorkflow(source)).toMatchObject({
      problems: [],
      warnings: [
        {
          pointer: "/steps/check/input_mapping/a",
          message: "contains {{workflow.input.text}}, which is plain text; a reference is ${workflow.input.text}",
        },
        {
          pointer: "/output_mapping/text",
          message: "`check.output` has no field `txt` over A2A; did you mean `text`?",
        },
      ],
    });
  });

  test("a member that the output of a parallel step, a loop or a fork can never have is a problem", () => {
    const each = { id: "each", type: "loop", loop_config: { collection: "${workflow.input}", loop_body: ["in"] } };
    const both = { id: "both", type: "parallel", parallel_steps: ["left", "right"], next_step: "fork" };
    const branches = { quick: { steps: ["fast"] } };
    const fork = {
      id: "fork",
      type: "fork_join",
      fork_join_config: { branches, join_policy: "all" },
      next_step: "each",
    };
    const steps = [both, agent("left"), agent("right"), fork, agent("fast"), each, agent("in")];
    const output_mapping = [
      "${both.output.lft.text}",
      "${both.output.left.text} ${fork.output.quick.text} ${each.output[0].text} ${steps.each.output}",
      "${fork.output.fast}",
      "${steps.each.output.text}",
      "${each.output[1].txt}",
    ];
    const { problems, warnings } = readWorkflow(plan(steps, { output_mapping }));
    expect(problems).toEqual([
      { pointer: "/output_mapping/0", message: "`both.output` has no field `lft`; it has: left, right" },
      { pointer: "/output_mapping/2", message: "`fork.output` has no field `fast`; it has: quick" },
      { pointer: "/output_mapping/3", message: "`steps.each.output` has no field `text`; it is a list, such as [0]" },
    ]);
    expect(warnings?.map(({ pointer }) => pointer)).toEqual(["/output_mapping/4"]);
  });
});

const using = (id: string, text: string, more = {}): Record<string, unknown> =>
  agent(id, { input_mapping: { text }, ...more });

test("a step can read the steps before it, but not itself or later steps", () => {
  const chain = (text: string): string[] =>
    pointersOf(plan([agent("a", { next_step: "b" }), using("b", text, { next_step: "c" }), agent("c")]));
  expect(chain("${a.output.x}")).toEqual([]);
  expect(chain("${steps.a.output.x}")).toEqual([]);
  expect(chain('${steps["a"].output}')).toEqual([]);
  for (const bad of [
    "${b.output}",
    "${c.output}",
    "${d.output}",
    "${a.input}",
    "${a}",
    "${item}",
    "${index}",
    "${workflow.run}",
  ])
    expect([bad, ...chain(bad)]).toEqual([bad, "/steps/b/input_mapping/text"]);
});

test("a step cannot read steps that run in parallel with it, but can read earlier parallel steps", () => {
  const both = (left: string, after: string): string[] =>
    pointersOf(
      plan([
        { id: "p", type: "parallel", parallel_steps: ["l", "r"], next_step: "z" },
        using("l", left),
        agent("r"),
        using("z", after),
      ]),
    );
  expect(both("-", "${l.output}${p.output.r}")).toEqual([]);
  expect(both("${r.output}", "-")).toEqual(["/steps/l/input_mapping/text"]);
});

test("a reference to a step that may not have run needs a default", () => {
  const branched = (after: string): string[] =>
    pointersOf(
      plan([
        { id: "k", type: "conditional", condition: { expression: "true" }, if_true_step: "a", next_step: "z" },
        agent("a"),
        using("z", after),
      ]),
    );
  expect(branched("${a.output}")).toEqual(["/steps/z/input_mapping/text"]);
  expect(branched("${a.output ?? null} ${k.output}")).toEqual([]);
});

test.each([
  ["all", []],
  ["any", ["/steps/z/input_mapping/text"]],
  ["majority", ["/steps/z/input_mapping/text"]],
])("B20: after a fork that waits for %s, a branch's steps are visible if they have run", (join_policy, problems) => {
  const branches = { x: { steps: ["a", "b"] }, y: { steps: ["c"] } };
  const fork = { id: "f", type: "fork_join", fork_join_config: { branches, join_policy }, next_step: "z" };
  expect(
    pointersOf(plan([fork, agent("a"), using("b", "${a.output}"), agent("c"), using("z", "${b.output}")])),
  ).toEqual(problems);
});

test("B19: a loop's body sees its item, its own steps and the enclosing scope; its steps are invisible outside", () => {
  const config = { collection: "${first.output.list}", iterator_variable: "topic", loop_body: ["a", "b"] };
  const looped = (inside: string, after: string): string[] =>
    pointersOf(
      plan([
        agent("first", { next_step: "l" }),
        { id: "l", type: "loop", loop_config: config, next_step: "z" },
        agent("a"),
        using("b", inside),
        using("z", after),
      ]),
    );
  expect(looped("${item.x}${index}${topic}${a.output}${first.output}", "${l.output[0].x}")).toEqual([]);
  expect(looped("-", "${topic}")).toEqual(["/steps/z/input_mapping/text"]);
  expect(looped("-", "${a.output ?? 1}")).toEqual(["/steps/z/input_mapping/text"]);
  expect(looped("${l.output}", "-")).toEqual(["/steps/b/input_mapping/text"]);
});

test.each([
  ["topics", false],
  ["${workflow.input.topics}", true],
  [["${workflow.input.a}", 2], true],
  ["x${item}", false],
])("a loop runs over one reference or an array: %j", (collection, holds) => {
  const loop = plan([{ id: "l", type: "loop", loop_config: { collection, loop_body: ["a"] } }, agent("a")]);
  expect(pointersOf(loop)).toEqual(holds ? [] : ["/steps/l/loop_config/collection"]);
});

test("B18: a condition resolves its step in every notation; an unknown step is an error", () => {
  const decided = (expression: string): string[] =>
    problemsOf(
      plan([
        agent("ask", { next_step: "k" }),
        { id: "k", type: "conditional", condition: { expression }, if_true_step: "a" },
        agent("a"),
      ]),
    );
  for (const good of [
    "steps.ask.output.n > 1",
    'steps["ask"].output.n > 1',
    "${ask.output.n} > 1",
    "'${ask.output.n}' == '1'",
  ])
    expect([good, ...decided(good)]).toEqual([good]);
  expect(decided("ask.output.n > 1")).toEqual([expect.stringContaining("the output of a step is steps.<id>.output")]);
  for (const bad of [
    "steps.a.output.n > 1",
    "steps.nobody.output == 1",
    "${a.output} == 1",
    "item == 1",
    "'a' contains 'b'",
  ])
    expect([bad, ...decided(bad)]).toEqual([bad, expect.stringMatching(/^\/steps\/k\/condition\/expression /)]);
});
