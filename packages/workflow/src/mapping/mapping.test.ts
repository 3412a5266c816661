import { describe, expect, test } from "vitest";
import { createExpressions } from "../expressions/condition.ts";
import { scopeOf } from "../testing/workflow-of.ts";
import { WorkflowFault } from "./scope.ts";
import { readTemplate } from "./template.ts";

const scope = scopeOf({
  input: { a: { b: [1, { c: null }], "odd key": true, "0": "zero" }, text: "hi", list: [[1, 2]], n: null, empty: "" },
  outputs: { "ask-2": { x: 2.5 }, gone: null, constructor: "a step may be called so" },
  variables: { item: { id: 7 }, index: 0, topic: "tides" },
});
const { resolve } = createExpressions();
const fill = (mapping: unknown): unknown => resolve(mapping, scope);

test.each([
  ["${workflow.input}", scope.input],
  ["${workflow.input.a.b[0]}", 1],
  ["${workflow.input.a.b.0}", 1],
  ["${ workflow.input.list[0][1] }", 2],
  ["${workflow.input.a['odd key']}", true],
  ['${workflow.input.a["odd key"]}', true],
  ["${workflow.input.a.0}", "zero"],
  ["${workflow.input.n}", null],
  ["${ask-2.output.x}", 2.5],
  ["${steps.ask-2.output}", { x: 2.5 }],
  ["${constructor.output}", "a step may be called so"],
  ["${item}", { id: 7 }],
  ["${item.id}", 7],
  ["${index}", 0],
  ["${topic}", "tides"],
])("%s keeps the type of its value", (reference, value) => {
  expect(fill(reference)).toEqual(value);
});

test("a reference within a text is inserted as text, or as JSON if it is not a string", () => {
  expect(fill("${topic}: ${item} ${index} ${workflow.input.n} ${workflow.input.a.b}!")).toBe(
    'tides: {"id":7} 0 null [1,{"c":null}]!',
  );
});

test("objects and arrays are mapped recursively, and values without references stay unchanged", () => {
  expect(fill({ a: ["${index}", { b: "${topic}" }, 1, null, true], c: "$ {} $x", d: {}, e: [] })).toEqual({
    a: [0, { b: "tides" }, 1, null, true],
    c: "$ {} $x",
    d: {},
    e: [],
  });
});

test("$${ is an escaped ${", () => {
  expect(fill("a $${x} ${index}")).toBe("a ${x} 0");
  expect(fill("$${")).toBe("${");
});

test.each([
  ['${workflow.input.lang ?? "en"}', "en"],
  ['${workflow.input.n ?? "none"}', "none"],
  ['${workflow.input.empty ?? "x"}', ""],
  ["${index ?? 5}", 0],
  ["${nobody.output ?? null}", null],
  ['${workflow.input.a.b["01"] ?? "none"}', "none"],
  ['${gone.output.x ?? {"a": ["}"], "b": "\\"}"}}', { a: ["}"], b: '"}' }],
  ["<${topic.x??[1]}>", "<[1]>"],
])("a default replaces a missing or null value: %s", (reference, value) => {
  expect(fill(reference)).toEqual(value);
});

test.each([
  ["${workflow.input.nope.x}", "`workflow.input` has no field `nope`. It has: a, text, list, n, empty."],
  ["${workflow.input.a.b[2]}", "`workflow.input.a.b` has no item `2`. It is a list of 2 items; the first is `[0]`."],
  ["${workflow.input.a.b.00}", "`workflow.input.a.b` has no field `00`."],
  ["${workflow.input.text[0]}", "`workflow.input.text` has no item `0`. It is a string."],
  ["${workflow.input.text.length}", "`workflow.input.text` has no field `length`. It is a string."],
  ["${workflow.input.a.b.length}", "`workflow.input.a.b` has no field `length`."],
  ["${workflow.input.a['odd key'].x}", '`workflow.input.a["odd key"]` has no field `x`. It is a boolean.'],
  ["${gone.output.x}", "`gone.output` is empty, so it has no `x`."],
  ["${nobody.output}", "`nobody.output` has no value: its step did not run."],
  ["${ask-2.input}", "`ask-2.input` has no value: its step did not run."],
])("a reference without a value is a fault with its location and reason: %s", (reference, reason) => {
  const fault = caught(() => fill({ "a/b": [reference] }));
  expect(fault).toMatchObject({ kind: "mapping_failed", pointer: "/a~1b/0" });
  expect(fault.message).toContain(reason);
  expect(fault.message).not.toContain("hi");
});

describe("prototype members are unreachable", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf"];
  test.each(names)("%s", (name) => {
    for (const start of ["workflow.input", "workflow.input.a.b", "workflow.input.text", "item", "ask-2.output"]) {
      expect(() => fill(`\${${start}.${name}}`)).toThrow(WorkflowFault);
      expect(fill(`\${${start}["${name}"] ?? "none"}`)).toBe("none");
    }
    expect(() => fill(`\${${name}.output.x}`)).toThrow(WorkflowFault);
  });

  test("a member named __proto__ stays an own member", () => {
    const filled = fill(JSON.parse('{"__proto__": {"polluted": "${index}"}}')) as object;
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"polluted":0}}');
    expect({}).not.toHaveProperty("polluted");
  });
});

test.each([
  "${",
  "${}",
  "${a",
  "${a..b}",
  "${a.}",
  "${a[}",
  "${a[-1]}",
  "${a[1.5]}",
  "${a b}",
  "${a | 1}",
  "${a ?? }",
  "${a ?? x}",
  '${a["\\x"]}',
  "${a['b}",
])("an unreadable reference is an error: %s", (text) => {
  const { problems } = readTemplate({ x: [`ok ${text}`] });
  expect(problems).toEqual([{ pointer: "/x/0", message: expect.stringContaining("at character 4") }]);
  expect(() => fill(text)).toThrow(WorkflowFault);
});

test("too deep nesting is reported before it overflows the stack", () => {
  const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown;
  expect(readTemplate(deep).problems).toEqual([expect.objectContaining({ message: "is nested deeper than 64" })]);
});

function caught(run: () => unknown): WorkflowFault {
  try {
    run();
  } catch (error) {
    if (error instanceof WorkflowFault) return error;
  }
  throw new Error("there was no fault");
}

test("the output of a mapping has a size limit, and exceeding it is an error", () => {
  const big = scopeOf({ input: { text: "x".repeat(1_000_000), list: Array(100_000).fill("x") } });
  for (const name of ["text", "list"]) {
    const reference = `\${workflow.input.${name}}`;
    expect(() => createExpressions().resolve(reference.repeat(3000), big)).toThrow(WorkflowFault);
    expect(() => createExpressions().resolve({ of: Array(3000).fill(reference) }, big)).toThrow(/exceeds 10000000/);
    expect(createExpressions().resolve([reference, reference], big)).toHaveLength(2);
  }
});
