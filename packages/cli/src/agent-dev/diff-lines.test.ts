import { expect, test } from "vitest";
import { dayOf, diffLines, readable, steadyText } from "./dev/replay.ts";

test("only changed lines are shown, below the equal line before them, and a long difference is cut", () => {
  expect(diffLines("a\nb\nc\nd", "a\nb\nc\nd")).toEqual([]);
  expect(diffLines("a\nb\nc\nd", "a\nx\nc\ny\nd")).toEqual(["  a", "- b", "+ x", "  c", "+ y"]);
  expect(diffLines("a", "b")).toEqual(["- a", "+ b"]);
  const many = Array.from({ length: 1_500 }, (_, n) => `line ${n}`).join("\n");
  const lines = diffLines(many, many.replaceAll("line", "row"));
  expect([lines.length, lines.at(-1)]).toEqual([31, "  … 2970 more lines"]);
});

test("two texts that differ only in ids, times and today's date are equal", () => {
  const at = (day: string, id: string): string =>
    steadyText(readable({ today: `Today is ${day}.`, id, at: `${day}T10:00:00.123Z`, due: "2026-12-24" }), day);
  const before = at("2026-03-01", "0f8fad5b-d9cb-469f-a165-70867728950e");
  expect(at(dayOf(new Date()), "7c9e6679-7425-40de-944b-e07fc1f90ae7")).toBe(before);
  expect(before).toContain('"due": "2026-12-24"');
  expect(readable({ b: 1, a: "x\ny" })).toBe('{\n  "a": "x\n    y",\n  "b": 1\n}');
});
