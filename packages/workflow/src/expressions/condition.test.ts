import { expect, test } from "vitest";
import { PlanFault, type Scope, WorkflowFault } from "../mapping/scope.ts";
import { scopeOf } from "../testing/workflow-of.ts";
import { createExpressions, readCondition } from "./condition.ts";

const scope = scopeOf({
  input: { n: 3, f: 0.5, text: "hello", list: [1, "x"], o: { constructor: 5, "a-b": 1 }, none: null, yes: true },
  outputs: { ask: { score: 3, list: [{ v: 1 }] }, "a-b": 1, flag: true },
  variables: { item: { x: 1 }, index: 2, topic: { output: 2 } },
});
const evaluate = (expression: string, values: Scope): boolean => createExpressions().condition(expression, values)();
const holds = (expression: string): boolean => evaluate(expression, scope);
const fault = (expression: string): string => {
  try {
    return `no fault: ${holds(expression)}`;
  } catch (error) {
    if (error instanceof WorkflowFault && error.kind === "condition_failed") return error.message;
    throw error;
  }
};

test.each([
  "workflow.input.n == 3",
  "workflow.input.n + 1 == 4 && workflow.input.n * 0.5 == 1.5",
  "workflow.input.n / 2 == 1.5 && workflow.input.n % 2 == 1",
  "workflow.input.f < 1 && -workflow.input.n == -3",
  "workflow.input.n in [1, 2, 3] && 'x' in workflow.input.list",
  "workflow.input.none == null && workflow.input.yes",
  "has(workflow.input.text) && !has(workflow.input.nope)",
  "has(steps.ask) && !has(steps.skipped) && !(has(steps.skipped) && steps.skipped.output > 1)",
  "workflow.input.n > 2 ? workflow.input.yes : false",
  "size(workflow.input.list) == 2 && size(workflow.input.text) == 5",
  "workflow.input.list.exists(x, x == 'x')",
  "workflow.input.o['a-b'] == 1 && workflow.input.o.constructor == 5",
  "steps.ask.output.list[0].v == 1 && steps['a-b'].output == 1",
  "item.x == 1 && index + 1 == 3 && topic.output == 2",
  "workflow.input.list[index - 1] == 'x' // a note, it's one",
])("CEL: %s", (expression) => {
  expect(holds(expression)).toBe(true);
});

test.each([
  ["${a-b.output} == 1", true],
  ["${steps.ask.output.score} == 3", true],
  ["${ask.output.score} == 4 || steps.ask.output.score == 4", false],
  ["${ask.output.list[0].v} == 1", true],
  ["${workflow.input['o']['a-b']} == 1", true],
  ["has(${ask.output.score}) && !has(${ask.output.nope})", true],
  ['${workflow.input.lang ?? "en"} == "en" && ${workflow.input.n ?? 0} == 3', true],
  ["${topic.output} == 2 && ${item.x} == 1", true],
  ["'${workflow.input.text}' == 'hello' && \"${a-b.output}\" == '1'", true],
  ["'$' == r'$' && 'it\\'s {}' != '${flag.output}'", true],
])("${…} is replaced by the value, as in mappings: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test("B18: an agent's response is never parsed as an expression", () => {
  for (const answer of [
    "' || true || '",
    '" == "" || true || "',
    "${workflow.input.secret}",
    "true",
    "process.exit(1)",
  ]) {
    const values = scopeOf({ outputs: { ask: answer } });
    expect(evaluate("'${ask.output}' == 'x'", values)).toBe(false);
    expect(evaluate("${ask.output} == 'x'", values)).toBe(false);
    expect(() => evaluate("${ask.output}", values)).toThrow(WorkflowFault);
  }
});

test.each([
  ["workflow.input.nope == 1", "No such key: nope"],
  ["steps.nobody.output == 1", "No such key: nobody"],
  ["${workflow.input.nope} == 1", "No such key: nope"],
  ["workflow.input.text > 3", "no such overload"],
  ["int(workflow.input.text) == 3", "int conversion error"],
  ["5 / 0 == 1", "division by zero"],
  ["workflow.input.n", "neither true nor false"],
  ["workflow.input.none ? true : false", "could not be evaluated"],
])("B18: an evaluation error is a fault, never false: %s", (expression, reason) => {
  expect(fault(expression)).toContain(reason);
  expect(fault(`!(${expression})`)).toContain(reason.startsWith("neither") ? "could not" : reason);
  expect(fault(expression)).not.toContain("hello");
});

test.each(["__proto__", "constructor", "toString", "valueOf", "length"])(
  "prototype members are unreachable: %s",
  (name) => {
    for (const start of [
      "workflow",
      "workflow.input",
      "workflow.input.list",
      "workflow.input.text",
      "steps",
      "steps.ask",
      "item",
    ]) {
      const path = name === "__proto__" ? `${start}["__proto__"]` : `${start}.${name}`;
      expect([path, fault(`${path} != null`)]).toEqual([
        path,
        expect.stringMatching(/could not be evaluated|does not|outright/),
      ]);
    }
    expect(fault(`${name === "__proto__" ? "constructor" : name} == 1`)).toContain("Unknown variable");
  },
);

test.each([
  ["1 ==", "not a valid CEL expression"],
  ["", "not a valid CEL expression"],
  ["workflow.input.text contains 'x'", "not a valid CEL expression"],
  ["1", "its type is int"],
  ["'a'", "its type is string"],
  ["[true]", "its type is list"],
  ["nope == 1", "available: workflow, steps, item"],
  ["steps[workflow.input.text].output == 1", "name the step literally"],
  ["size(steps) == 1", "name the step literally"],
  ["workflow.input.text.matches('(a+)+$')", "matches() is not available"],
  ["[1].all(a, [1].all(b, [1].all(c, true)))", "all() is nested in"],
  ["'x ${a.output}' == 'x'", "+ string(${a.output})"],
  ["${a..b} == 1", "at character 1"],
  [`${"(".repeat(200)}true${")".repeat(200)}`, "not a valid CEL expression"],
  ["[1].all(in, true)", "not a valid CEL expression"],
  ["'abc'.indexOf('c', 1) == 2", "take a substring() first"],
  ["'abc'.contains(1)", "'string.contains(int)'"],
])("an invalid condition is reported when it is parsed: %s", (expression, reason) => {
  const { problems } = readCondition(expression, new Set(["item"]));
  expect(problems?.join("\n")).toContain(reason);
});

const tooMuch = "A condition takes more than 200000 steps; make it compare less, or use smaller lists and texts.";

test("a search that cannot be interrupted is refused if it could take long", () => {
  const half = "a".repeat(50_000);
  const values = scopeOf({ outputs: { ask: { long: "a".repeat(200_000), wanted: `${half}b${half}` } } });
  for (const call of ["contains(W)", "indexOf(W) == 1", "lastIndexOf(W) == 1", "split(W).size() == 1"]) {
    const search = "${ask.output.long}." + call.replace("W", "${ask.output.wanted}");
    for (const expression of [search, `[1].exists(x, ${search})`, `{"a": [${search}]}.a[0]`])
      expect(() => evaluate(expression, values)).toThrow(new PlanFault(tooMuch));
  }
  expect(evaluate("${ask.output.long}.contains('b') || ${ask.output.wanted}.contains('b')", values)).toBe(true);
});

test("X16: a condition read the whole body of a delivery before its first step", () => {
  const unread = { get: () => expect.fail("it is not named"), enumerable: true };
  const item: object = Object.defineProperty({ n: 1 }, "rest", unread);
  expect(evaluate("item.n == 1", scopeOf({ variables: { item } }))).toBe(true);
});
