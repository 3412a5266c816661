import { expect, test } from "vitest";
import { inputProblems, workflowInput } from "./workflow-input.ts";

const came = {
  thread: [{ text: "before", user: "U1" }],
  attachments: [{ id: "F1", name: "a.txt", url: "https://files.example/F1" }],
};
const schemaOf = (...names: string[]) => ({
  input_schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) },
});

test.each([
  ["plain words", "write about cats", { text: "write about cats" }],
  ["nothing, with only files", "", { text: "" }],
  ["a JSON object", ' {"topic": "cats"} ', { topic: "cats" }],
  ["one in a code block", '```json\n{"topic": "cats"}\n```', { topic: "cats" }],
  ["one in a bare code block", '```{"topic": "cats"}```', { topic: "cats" }],
  ["one with curly quotes", "{“topic”: “cats”, „n‟: 1}", { topic: "cats", n: 1 }],
  ["one with no-break spaces and quotes in strings", '{\u00A0\u00A0"topic": "“cats”"}', { topic: "“cats”" }],
  ["one with no-break spaces in strings", '{"topic": "a\u00A0cat"}', { topic: "a\u00A0cat" }],
])("%s", (_, text, input) => {
  expect(workflowInput({ ...came, text }, {})).toEqual(input);
});

test.each(['["cats"]', '"cats"', "7", "null", "{topic: cats}", '{"a":1} and more', '```{"a":1}``` and ```{"b":1}```'])(
  "%s is text, not the input itself",
  (text) => {
    expect(workflowInput({ ...came, text }, {})).toEqual({ text });
  },
);

test("a member named like an object prototype's member is like any other", () => {
  const input = workflowInput({ ...came, text: '{"__proto__": {"thread": 1}}' }, schemaOf("toString"));
  expect(JSON.stringify(input)).toBe('{"__proto__":{"thread":1}}');
  expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
});

test("thread and files are passed where the schema declares them, without author and handle", () => {
  const text = "hi";
  expect(workflowInput({ ...came, text }, schemaOf("text"))).toEqual({ text });
  expect(workflowInput({ ...came, text }, schemaOf("thread", "attachments"))).toEqual({
    text,
    thread: [{ text: "before" }],
    attachments: [{ name: "a.txt" }],
  });
  expect(workflowInput({ text, thread: [], attachments: [] }, schemaOf("thread"))).toEqual({ text, thread: [] });
  expect(workflowInput({ ...came, text: '{"thread": "mine"}' }, schemaOf("thread"))).toEqual({ thread: "mine" });
});

test("a number that would be stored as null is reported", () => {
  const problems = (text: string) => inputProblems(workflowInput({ text, thread: [], attachments: [] }, {}));
  expect(problems('{"size": [1e999]}')).toEqual([{ pointer: "", message: expect.stringContaining("as text") }]);
  expect(problems('{"size": [1e99]}')).toEqual([]);
});

test("an input can have 64 levels of nesting", () => {
  const nested = (levels: number) =>
    workflowInput({ ...came, text: `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}` }, {});
  expect(inputProblems(nested(64))).toEqual([]);
  expect(inputProblems(nested(65))).toMatchObject([{ pointer: "" }]);
  expect(inputProblems(nested(100_000))).toHaveLength(1);
});
