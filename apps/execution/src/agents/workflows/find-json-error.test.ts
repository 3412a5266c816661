import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonError } from "./find-json-error.ts";

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

  test.each([
    ['{"a": 1,}', 8, "remove the comma before the closing bracket"],
    ["{'a': 1}", 1, "JSON needs double quotes"],
    ['{"a": “b”}', 6, "curly quote"],
    ['{"a" 1}', 5, "a `:` is missing"],
    ['{"a": tru}', 6, "`tru` must be in double quotes"],
    ['{"a":\n  [1,\n 2 3]}', 15, "a comma"],
    ['{"a": [1', 8, "2 `{` or `[` are not closed"],
    ['{"a": "x', 8, "a closing double quote is missing"],
    ['{"a": "\\q"}', 7, "this escape does not exist"],
    ['{"a": 1} // note', 9, "continues after the end"],
    ["[1, // one\n2]", 4, "no comments"],
    ["[1, 2}", 5, "`}` closes nothing"],
  ])("locates the error and says what to do: %s", (text, offset, sentence) => {
    expect(findJsonError(text)).toEqual({ offset, problem: expect.stringContaining(sentence) as string });
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
