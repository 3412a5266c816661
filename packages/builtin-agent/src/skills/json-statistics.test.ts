import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonError } from "../documents/find-json-error.ts";
import { indentJson, measureJson } from "../documents/json-text.ts";
import { ask, run } from "../testing/ask-builtin.ts";

describe("JSON", () => {
  test("reports statistics of valid JSON", async () => {
    const answer = await ask('json: {"id": 1, "tags": ["a", "b"], "owner": {"id": null, "ok": true}}');
    for (const row of [
      "**valid JSON**",
      "an object with 3 members",
      "Depth | 2",
      "Strings | 2",
      "Nulls | 1",
      "Distinct names | 4",
    ]) {
      expect(answer).toContain(row);
    }
  });

  test("lists the members of an array's objects", async () => {
    const answer = await ask('[{"id": 1, "__proto__": true}, {"id": "x"}]');
    expect(answer).toContain("| id | number, string | 2 of 2 |");
    expect(answer).toContain(String.raw`| \_\_proto\_\_ | boolean | 1 of 2 |`);
  });

  test("keeps the notation of numbers when it indents", async () => {
    expect(await ask('{"a":12345678901234567890,"b":1.50}')).toContain(
      '{\n  "a": 12345678901234567890,\n  "b": 1.50\n}',
    );
  });

  test.each([
    ['{"a": 1,}', "Line 1, column 9: remove the comma before the closing bracket"],
    ["json {'a': 1}", "column 2: JSON needs double quotes"],
    ['{"a": “b”}', "curly quote"],
    ['{"a" 1}', "Line 1, column 6: a `:` is missing"],
    ['{"a": tru}', "`tru` must be in double quotes"],
    ['```json\n{"a":\n  [1,\n 2 3]}\n```', "Line 3, column 4: a comma"],
    ['{"a": [1', "2 `{` or `[` are not closed"],
    ['json: {"a": "x', "a closing double quote is missing"],
    ['json: {"a": "\\q"}', "this escape does not exist"],
    ['{"a": 1} // note', "continues after the end"],
    ["json: [1, // one\n2]", "no comments"],
    ["json: [1, 2}", "`}` closes nothing"],
  ])("locates the error: %s", async (question, sentence) => {
    const answer = await ask(question);
    expect(answer).toContain("**not valid JSON**");
    expect(answer).toContain(sentence);
  });

  test("marks the wrong character", async () => {
    expect(await ask('{"a": 1,}')).toContain('{"a": 1,}\n        ^');
  });

  test("accepts an attached text", async () => {
    const answer = await ask("", { attachments: [{ name: "data.json", text: "[1, 2, 3]" }] });
    expect(answer).toContain("`data.json`: This is **valid JSON**");
  });

  test("backticks in the input cannot end the code block", async () => {
    expect(await ask('json: {"a": "```"}')).toContain("````json");
  });

  test.each(["what is json", "{hello}", "[link]", "[]{}"])("is not JSON: %s", async (text) => {
    expect((await run(text)).skill).toBeUndefined();
  });

  test("100,000 levels do not overflow the stack", async () => {
    const deep = `json: ${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(await ask(deep)).toContain("| Depth | 100000 |");
  });
});

describe("findJsonError", () => {
  const almostJson = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          '"a"',
          "1",
          "-0.5e3",
          "true",
          "null",
          " ",
          "\n",
          "'",
          "\\",
          "01",
          "\u00a0",
        ),
      )
      .map((parts) => parts.join("")),
    fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1)),
  );

  test("finds an error exactly if JSON.parse does", () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        const error = findJsonError(text);
        expect(error === undefined).toBe(parses(text));
        expect(error?.offset ?? 0).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  test("the text before the error is a prefix of valid JSON", () => {
    expect(findJsonError('{"a":1,,}')?.offset).toBe(7);
    expect(findJsonError("[1 2]")?.offset).toBe(3);
    expect(findJsonError("")?.offset).toBe(0);
    expect(findJsonError('"a\nb"')?.offset).toBe(2);
  });
});

test("indenting changes only whitespace between tokens", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const indented = indentJson(text);
      expect(JSON.parse(indented)).toEqual(JSON.parse(text));
      expect(indented).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test("measureJson counts every value once", () => {
  expect(measureJson([1, "a", null, true, { b: [{ b: 2 }] }])).toEqual({
    counts: { object: 2, array: 2, string: 1, number: 2, boolean: 1, null: 1 },
    depth: 4,
    names: 1,
  });
  expect(measureJson(5).depth).toBe(0);
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
