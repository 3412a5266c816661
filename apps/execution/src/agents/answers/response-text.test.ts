import { array, assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { responseText } from "./response-text.ts";

test.each<[what: string, output: unknown, text: string]>([
  ["its artifacts, even if it has a message too", { response: "on it", text: "artifacts" }, "artifacts"],
  ["its last message without artifacts", { response: "last" }, "last"],
  ["its artifacts when the message is empty", { response: "", text: "artifacts" }, "artifacts"],
  ["its artifacts without a message", { text: "artifacts", data: [1] }, "artifacts"],
  ["text unchanged", "plain", "plain"],
  ["structure as JSON", { rows: [1, 2] }, '```json\n{\n  "rows": [\n    1,\n    2\n  ]\n}\n```'],
  ["a list as JSON", [], "```json\n[]\n```"],
  ["false as JSON: it is an answer", false, "```json\nfalse\n```"],
  ["a message without text as JSON", { text: 4 }, '```json\n{\n  "text": 4\n}\n```'],
])("R3.4: the answer in the thread is %s", (_what, output, text) => {
  expect(responseText(output)).toBe(text);
});

test.each([null, undefined, "", "  \n", {}, { text: "", response: null }])(
  "R3.4, R4.7: an agent without output (%j) gets a sentence as its answer, never an empty message",
  (output) => {
    expect(responseText(output)).toBe("The agent finished without an answer.");
  },
);

test("a fence in the output does not end the fence around it", () => {
  const text = responseText({ markdown: "```` four" });
  expect(text.startsWith("`````json\n")).toBe(true);
  expect(text.endsWith("\n`````")).toBe(true);
});

test.each<[what: string, output: unknown]>([
  ["plain text", "x".repeat(9_000_000)],
  ["text whose first characters take many bytes", { text: "\0".repeat(1_000_000) + "x".repeat(1_000_000) }],
  ["pairs of surrogates", { response: "😀".repeat(2_000_000) }],
  ["a structure", { rows: Array.from({ length: 200_000 }, (_, row) => ({ row, name: "x" })) }],
])("R3.4: an answer too long for the zone link is truncated and says so: %s", (_what, output) => {
  const text = responseText(output);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(3_100_000);
  expect(text.length).toBeGreaterThan(400_000);
  expect(text.isWellFormed()).toBe(true);
  expect(text.slice(-60)).toMatch(/\n\n\(The answer was longer and has been shortened\.\)$/);
  expect(text.split("```").length % 2).toBe(1);
});

test("R3.4: any JSON becomes text, and a list is shown completely", () => {
  assert(property(jsonValue(), (output) => responseText(output).trim() !== ""));
  assert(
    property(array(jsonValue()), (output) => {
      expect(JSON.parse(responseText(output).replace(/^`+json\n|\n`+$/g, ""))).toEqual(
        JSON.parse(JSON.stringify(output)),
      );
    }),
  );
});

test("I9: a task without an answer was shown as protocol JSON", () => {
  const task = {
    kind: "task",
    id: "r1",
    status: { state: "completed" },
    history: [{ role: "user", parts: [{ text: "?" }] }],
  };
  expect(responseText(task)).toBe("The agent finished without an answer.");
});
