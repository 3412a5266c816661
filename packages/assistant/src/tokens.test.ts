import { expect, test } from "vitest";
import { costOf } from "./usage-meter.ts";
import prices from "./usage/prices.json" with { type: "json" };

const million = { input: 1_000_000, output: 1_000_000, cached: 0 };

test("the cost follows the dated price file, with cached input discounted", () => {
  expect(costOf("claude-sonnet-4-6", million)).toBe(18);
  expect(costOf("claude-sonnet-4-6", { ...million, cached: 1_000_000 })).toBe(15.3);
  expect(prices.as_of).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test.each([
  ["claude-sonnet-4-5-20250929", 18],
  ["us.anthropic.claude-haiku-4-5-20251001-v1:0", 6],
  ["anthropic.claude-opus-4-5-20251101-v1:0", 30],
  ["gpt-5.2-2025-12-11", 15.75],
  ["gpt-5.2-pro", null],
  ["gpt-9", null],
  ["constructor", null],
])("%s costs %s, and never 0 for a model without a price", (id, cost) => {
  expect(costOf(id, million)).toBe(cost);
});
