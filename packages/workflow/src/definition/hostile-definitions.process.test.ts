import { describe, expect, test } from "vitest";
import { agent, inputProblemsOf, plan } from "../testing/workflow-of.ts";
import { validateWorkflow } from "./read-workflow.ts";

/** Without limits these take minutes, or all memory. */
const soon = 20_000;

describe("B6: a hostile definition is refused immediately", () => {
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

describe("B6: an input whose validation would not terminate is refused", () => {
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
