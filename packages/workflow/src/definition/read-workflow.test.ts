import { describe, expect, test } from "vitest";
import { agent, inputProblemsOf, plan, pointersOf, problemsOf } from "../testing/workflow-of.ts";
import { readWorkflow } from "./read-workflow.ts";

test("B21: a step without a type, as in the old format, is read as an agent step", () => {
  const { type: _type, ...old } = agent("a", { next_step: null });
  const { definition, problems } = readWorkflow(plan([old]));
  expect(problems).toEqual([]);
  expect(definition?.steps["a"]?.type).toBe("agent");
  expect(old).not.toHaveProperty("type");
});

test("B21: a step of another kind whose type is missing is an error, not an agent step", () => {
  const { problems } = readWorkflow(plan([{ id: "p", parallel_steps: ["a"] }, agent("a")]));
  expect(problems.map(({ pointer }) => pointer)).toContain("/steps/p/parallel_steps");
});

test("a mistake in a step neither hides errors in its mapping nor causes false ones", () => {
  const mapping = { a: "${workflow.input.text", b: "${gone.output}", c: "${b.output}", d: "${workflow.input}" };
  const bad = agent("a", { timeout_ms: "soon", next_step: "b", input_mapping: mapping });
  expect(pointersOf(plan([bad, agent("b")]))).toEqual([
    "/steps/a/timeout_ms",
    "/steps/a/input_mapping/a",
    "/steps/a/input_mapping/b",
  ]);
});

test("an iterator variable of an invalid loop is not reported as a second error", () => {
  const body = agent("b", { input_mapping: { x: "${item}", y: "${index}", z: "${text}" } });
  const config = { collection: "${workflow.input}", loop_body: ["b"], iterator_variable: "text" };
  const loop = { id: "a", type: "loop", loop_config: { ...config, collection: 5 } };
  expect(pointersOf(plan([loop, body]))).toEqual(["/steps/a/loop_config/collection"]);
  expect(pointersOf(plan([{ ...loop, type: "lop" }, body]))).toEqual(["/steps/a/type"]);
});

describe("links", () => {
  test("an unreachable step is an error", () => {
    expect(problemsOf(plan([agent("a"), agent("b")]))).toEqual(["/steps/b is not reachable from start_step"]);
  });

  test.each([
    ["next_step", [agent("a", { next_step: "b" }), agent("b", { next_step: "a" })], "/steps/b/next_step"],
    ["itself", [agent("a", { next_step: "a" })], "/steps/a/next_step"],
    [
      "a branch",
      [{ id: "a", type: "conditional", condition: { expression: "true" }, if_true_step: "a" }],
      "/steps/a/if_true_step",
    ],
    [
      "a loop's body",
      [{ id: "a", type: "loop", loop_config: { collection: [], loop_body: ["b", "a"] } }, agent("b")],
      "/steps/a/loop_config/loop_body/1",
    ],
    [
      "a list of a list",
      [
        { id: "a", type: "parallel", parallel_steps: ["f"] },
        { id: "f", type: "fork_join", fork_join_config: { join_policy: "all", branches: { x: { steps: ["a"] } } } },
      ],
      "/steps/f/fork_join_config/branches/x/steps/0",
    ],
  ])("a cycle through %s is reported where it closes", (_, steps, pointer) => {
    expect(problemsOf(plan(steps))).toEqual([expect.stringMatching(new RegExp(`^${pointer} is part of a cycle: `))]);
  });

  test("the second use of a step is an error that names the first", () => {
    const twice = plan([{ id: "p", type: "parallel", parallel_steps: ["a", "a"], next_step: null }, agent("a")]);
    expect(problemsOf(twice)).toEqual([
      expect.stringMatching(/^\/steps\/p\/parallel_steps\/1 uses a, which \/steps\/p\/parallel_steps\/0 already uses/),
    ]);
  });

  test("a step of a list may name only the next step of that list as its next", () => {
    const loop = (next: string): unknown =>
      plan([
        { id: "l", type: "loop", loop_config: { collection: [1], loop_body: ["a", "b"] }, next_step: "c" },
        agent("a", { next_step: next }),
        agent("b"),
        agent("c"),
      ]);
    expect(pointersOf(loop("b"))).toEqual([]);
    expect(pointersOf(loop("c"))).toEqual(["/steps/a/next_step"]);
  });

  test("a branch can lead to the step after its conditional, or be that step", () => {
    const choose = { id: "k", type: "conditional", condition: { expression: "true" }, next_step: "end" };
    const joined = plan([
      { ...choose, if_true_step: "a", if_false_step: "end" },
      agent("a", { next_step: "end" }),
      agent("end", { input_mapping: "${a.output ?? 1}" }),
    ]);
    expect(problemsOf(joined)).toEqual([]);
  });

  test("an error shows how to write two branches that meet in a step without a parent", () => {
    const meet = plan([
      { id: "k", type: "conditional", condition: { expression: "true" }, if_true_step: "a", if_false_step: "b" },
      agent("a", { next_step: "c" }),
      agent("b", { next_step: "c" }),
      agent("c"),
    ]);
    expect(problemsOf(meet)).toEqual([
      expect.stringMatching(/^\/steps\/b\/next_step uses c, .* use the conditional's next_step$/),
    ]);
  });
});

describe("steps", () => {
  test("a key is the id of its step, and cannot be a word that references use", () => {
    const steps = { a: agent("b"), item: agent("item") };
    expect(
      pointersOf({
        ...plan([agent("a", { next_step: "item" })]),
        steps: { ...steps, a: agent("b", { next_step: "item" }) },
      }),
    ).toEqual(["/steps/a/id", "/steps/item/id"]);
  });

  test("a conditional that leads nowhere is an error", () => {
    expect(pointersOf(plan([{ id: "k", type: "conditional", condition: { expression: "true" } }]))).toEqual([
      "/steps/k/if_true_step",
    ]);
  });

  test.each([
    ["n_of_m", undefined, false],
    ["n_of_m", 2, true],
    ["n_of_m", 3, false],
    ["any", 1, false],
    ["majority", undefined, true],
  ])("B20: a fork that can never join is an error before it runs: %s of %s", (join_policy, n_required, holds) => {
    const branches = { x: { steps: ["a"] }, y: { steps: ["b"] } };
    const config = { branches, join_policy, ...(n_required !== undefined && { n_required }) };
    const fork = plan([{ id: "f", type: "fork_join", fork_join_config: config }, agent("a"), agent("b")]);
    expect(pointersOf(fork)).toEqual(holds ? [] : ["/steps/f/fork_join_config/n_required"]);
  });
});

describe("input", () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false };

  test("is checked against the workflow's own schema", () => {
    const workflow = plan([agent("a")], { input_schema: { ...schema, required: ["n"] } });
    expect(inputProblemsOf(workflow, { n: 1 })).toEqual([]);
    expect(inputProblemsOf(workflow, { n: "1", m: 2 })).toEqual([
      { pointer: "/m", message: "is not a known member" },
      { pointer: "/n", message: "must be integer" },
    ]);
    expect(inputProblemsOf(plan([agent("a")]), [1])).toEqual([]);
  });

  test("a reference to a member that the schema excludes is an error", () => {
    const refer = (mapping: string): string[] =>
      pointersOf(plan([agent("a", { input_mapping: mapping })], { input_schema: schema }));
    expect(refer("${workflow.input.n}")).toEqual([]);
    expect(refer("${workflow.input.m}")).toEqual(["/steps/a/input_mapping"]);
    expect(refer("${workflow.input.m ?? 1}")).toEqual([]);
  });

  test.each([
    { $ref: "https://elsewhere.example/s.json" },
    { $schema: "urn:other" },
    { pattern: "(" },
    { minLength: "1" },
    { maximum: Infinity },
  ])("an unusable schema is an error: %j", (input_schema) => {
    expect(pointersOf(plan([agent("a")], { input_schema }))).toEqual([expect.stringMatching(/^\/input_schema/)]);
  });

  test("an input nested deeper than validation can follow is refused without a crash", () => {
    const input_schema = { $ref: "#/$defs/tree", $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" } } } };
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
    const workflow = plan([agent("a")], { input_schema });
    expect(inputProblemsOf(workflow, [[[]]])).toEqual([]);
    expect(inputProblemsOf(workflow, deep)).toEqual([
      { pointer: "", message: expect.stringContaining("cannot be checked") },
    ]);
  });

  test("a schema that requests asynchronous validation is validated synchronously", () => {
    const later = { $async: true, type: "string" };
    expect(inputProblemsOf(plan([agent("a")], { input_schema: later }), 1)).toHaveLength(1);
  });
});

test("steps can be nested as deep as their stored path allows", () => {
  const nested = (depth: number): unknown => {
    const loops = Array.from({ length: depth }, (_, at) => {
      const inner = at + 1 < depth ? `s${at + 1}` : "end";
      return { id: `s${at}`, type: "loop", loop_config: { collection: [1], loop_body: [inner] } };
    });
    return plan([...loops, agent("end")]);
  };
  expect(problemsOf(nested(12))).toEqual([]);
  expect(problemsOf(nested(13))).toEqual(["/steps/end is nested in more than 12 other steps"]);
});

test("if a plan has very many problems, the first ones are reported", () => {
  const input_mapping = Array.from({ length: 100_000 }, () => "${nowhere.output}");
  expect(problemsOf(plan([agent("a", { input_mapping })]))).toHaveLength(200);
});
