import { describe, expect, test } from "vitest";
import { columnsOf, duration, fit, harmless, harmlessJson, harmlessLine, table } from "./terminal-text.ts";

describe("untrusted text", () => {
  test("can't move the cursor, set colors or change the text direction, and stays visible", () => {
    expect(harmless("a\u001b[2Jb\u009bc\rd\u0007\u202ee\u2028f")).toBe(
      "a\\u001b[2Jb\\u009bc\\u000dd\\u0007\\u202ee\\u2028f",
    );
    expect(harmless("one\ttab\r\ntwo\n日本語 👩‍👩‍👧 مرحبا")).toBe("one\ttab\ntwo\n日本語 👩‍👩‍👧 مرحبا");
  });

  test("on one line can't start another line", () => {
    expect(harmlessLine("a\n\nb\tc")).toBe("a b c");
  });

  test("that is JSON stays equivalent", () => {
    const value = { "\u001b]0;x\u0007": "\u009b\u2028\u202e\r\n\t日本", n: [1, null, { a: -1.5 }] };
    const text = harmlessJson(value);
    expect(text).toMatch(/^[\n\u0020-\u007e日本]+$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});

test("a table is aligned, also with wide characters, and no cell breaks its line", () => {
  const rows = [
    ["a", "日本語", "1"],
    ["long-id", "b\nc", ""],
  ];
  const text = table(["ID", "NAME", "X"], rows);
  expect(text).toBe(["ID       NAME    X", "a        日本語  1", "long-id  b c", ""].join("\n"));
});

test.each([
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["日本語", 6, "日本語"],
  ["ab", 1, "…"],
  ["ab", 0, ""],
])("%s in %i columns is %s", (line, columns, fitted) => {
  expect(fit(line, columns)).toBe(fitted);
  expect(columnsOf(fitted)).toBeLessThanOrEqual(columns);
});

test.each([
  [-5, "0ms"],
  [440, "440ms"],
  [9_949, "9.9s"],
  [9_950, "10s"],
  [59_400, "59s"],
  [59_600, "1m 00s"],
  [185_000, "3m 05s"],
  [7_260_000, "2h 01m"],
])("%i ms is %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});
