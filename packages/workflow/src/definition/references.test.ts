import { expect, test } from "vitest";
import { agent, plan } from "../testing/workflow-of.ts";
import { validateWorkflow } from "./read-workflow.ts";

const at = (source: unknown): string[] => validateWorkflow(source).map(({ pointer }) => pointer);
const using = (id: string, text: string, more = {}): Record<string, unknown> =>
  agent(id, { input_mapping: { text }, ...more });

test("a step can read the steps before it, but not itself or later steps", () => {
  const chain = (text: string): string[] =>
    at(plan([agent("a", { next_step: "b" }), using("b", text, { next_step: "c" }), agent("c")]));
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
    at(
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
    at(
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
  expect(at(plan([fork, agent("a"), using("b", "${a.output}"), agent("c"), using("z", "${b.output}")]))).toEqual(
    problems,
  );
});

test("B19: a loop's body sees its item, its own steps and the enclosing scope; its steps are invisible outside", () => {
  const config = { collection: "${first.output.list}", iterator_variable: "topic", loop_body: ["a", "b"] };
  const looped = (inside: string, after: string): string[] =>
    at(
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
  expect(at(loop)).toEqual(holds ? [] : ["/steps/l/loop_config/collection"]);
});

test("B18: a condition resolves its step in every notation; an unknown step is an error", () => {
  const decided = (expression: string): string[] =>
    validateWorkflow(
      plan([
        agent("ask", { next_step: "k" }),
        { id: "k", type: "conditional", condition: { expression }, if_true_step: "a" },
        agent("a"),
      ]),
    ).map(({ pointer, message }) => `${pointer} ${message}`);
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
