// suite: rest
// @module-tag judge
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { agent, inputProblemsOf, plan } from "../testing/workflow-of.ts";
import { validateWorkflow } from "./read-workflow.ts";
import { readOnThread } from "./request-thread.ts";

/** Without limits these take minutes, or all memory. */
const soon = 20_000;

describe("I8: a hostile definition is refused immediately", () => {
  const longId = "k".repeat(400_000);
  const many = Array.from({ length: 50_000 }, (_, index) => `x${index}`);

  test.each([
    ["links back to itself", [{ id: "a", type: "parallel", parallel_steps: many.map(() => "a") }]],
    ["links to nowhere", [{ id: "a", type: "parallel", parallel_steps: many }]],
    [
      "a long id that each problem would repeat",
      [agent("a", { input_mapping: many.map(() => "${x.output}") }), agent(longId)],
    ],
  ])("%s", { timeout: soon }, (_name, steps) => {
    const problems = validateWorkflow(plan(steps));
    expect(problems).toEqual([{ pointer: "/steps", message: expect.stringMatching(/^has .*more than/) }]);
  });

  const ids = Array.from({ length: 400 }, (_, index) => `${"a".repeat(58)}${index}`);
  const inner = ids.map((id) => agent(id));
  const near = Array.from({ length: 100_000 }, (_, index) => `${"a".repeat(58)}_${index}`);
  const branches = Object.fromEntries(ids.map((id) => [id, { steps: [id] }]));
  const fork = { id: "f", type: "fork_join", fork_join_config: { branches, join_policy: "all" }, next_step: "z" };
  const read = (step: string): string[] =>
    Array.from({ length: 400_000 }, (_, index) => `\${f.output.${step}${index % 400}}`);

  // Each takes minutes if a name is compared with all others, or if its problem lists all others.
  test.each([
    ["misspelled references", [agent("z", { input_mapping: near.map((id) => `\${${id}.output}`) }), ...inner], 200],
    ["misspelled links", [{ id: "p", type: "parallel", parallel_steps: near.slice(0, 1_500) }, ...inner], 200],
    ["misspelled agents", ids.map((id) => agent(id, { agent_name: `${"b".repeat(250)}-${id.slice(-3)}` })), 200],
    [
      "misspelled keys of events",
      ids.map((id) => ({ id, type: "wait", event: { name: "x", key: `\${${id}_.output}` } })),
      200,
    ],
    ["references to one of many branches", [fork, ...inner, agent("z", { input_mapping: read("a".repeat(58)) })], 0],
    ["references to no branch of many", [fork, ...inner, agent("z", { input_mapping: read("none") })], 200],
    ["blanks after braces", [agent("z", { input_mapping: `{{${" ".repeat(1_000_000)}` })], 0],
  ])("%s take a time that grows with their number", { timeout: soon }, (_name, steps, count) => {
    const agents = ["echo", ...Array.from({ length: 10_000 }, (_, index) => `${"b".repeat(250)}_${index}`)];
    const problems = validateWorkflow(plan(steps), { agents });
    expect(problems).toHaveLength(count);
    expect(JSON.stringify(problems).length).toBeLessThan(1_000_000);
  });

  test("any number of references in one text can be read", () => {
    const source = plan([agent("a", { input_mapping: "${workflow.input}".repeat(200_000) })]);
    expect(validateWorkflow(source)).toEqual([]);
  });

  test("an input schema that would compile to an excessive size is refused", { timeout: soon }, () => {
    const members = (count: number, schema: object): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));
    const large = { properties: members(1000, { type: "string", minLength: 3 }) };
    const short = {
      $defs: { b: { properties: members(300, { minLength: 3 }) } },
      properties: members(1000, { $ref: "#/$defs/b" }),
    };
    expect(
      validateWorkflow(plan([agent("a")], { input_schema: { ...large, ...short, allOf: [large, large] } })),
    ).toEqual([{ pointer: "/input_schema", message: expect.stringContaining("is longer than") }]);
    expect(validateWorkflow(plan([agent("a")], { input_schema: short }))).toEqual([]);
  });
});

describe("I8: an input whose validation would not terminate is refused", () => {
  test.each([
    ["a pattern", { pattern: "^(a+)+$" }],
    ["members by a pattern", { patternProperties: { "^(a+)+$": {} } }],
  ])("%s", { timeout: soon }, (_name, input_schema) => {
    const evil = `${"a".repeat(60)}!`;
    const input = "patternProperties" in input_schema ? { [evil]: 1 } : evil;
    const workflow = plan([agent("a")], { input_schema });
    expect(inputProblemsOf(workflow, input)).toEqual([
      { pointer: "", message: expect.stringMatching(/^cannot be checked: .* took longer than/) },
    ]);
    // The next definition is checked normally.
    expect(inputProblemsOf(plan([agent("a")], { input_schema: { type: "string" } }), "a")).toEqual([]);
  });
});

test("I8: what a thread may use is CPU time: a minute in which the machine gave it none is no reason to refuse", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const read = readOnThread(plan([agent("a")]), {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await read).toMatchObject({ definition: { workflow_id: "test" }, problems: [] });
  const never = readOnThread(plan([agent("a", { input_mapping: "${workflow.input}".repeat(400_000) })]), {});
  await vi.advanceTimersByTimeAsync(120_000);
  expect((await never).problems).toEqual([
    { pointer: "", message: expect.stringMatching(/^cannot be checked: it took longer than 15000 ms/) },
  ]);
});
