import type { UsageSum } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { usageText } from "./usage-text.ts";

const none: UsageSum = {
  calls: 0,
  estimated_calls: 0,
  unpriced_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost: null,
};
const month = { ...none, calls: 12, input_tokens: 12_000, cached_input_tokens: 4_000, output_tokens: 850, cost: 1.257 };
const resets_at = "2026-11-22T00:00:00.000Z";

test("U3: a person sees their own usage, each budget, and when it resets", () => {
  const own = { scope: "person", period: "day", unit: "usd", limit: 5, used: 1.25, resets_at } as const;
  const team = {
    scope: "team",
    period: "month",
    unit: "tokens",
    limit: 2_000_000,
    resets_at: "2026-12-01T00:00:00Z",
  } as const;
  expect(usageText({ day: none, month, budgets: [own, team] }))
    .toBe(`Your language model usage (days and months are in UTC):
- **Today:** nothing
- **This month:** 12 calls, 12,000 input tokens (4,000 cached), 850 output tokens, $1.26

Budgets that apply to you:
- **You, each day:** $5.00, 25% used, $3.75 left. Resets on 22 November at 00:00 UTC.
- **Your team, each month:** 2,000,000 tokens, shared with others. Resets on 1 December at 00:00 UTC.`);
});

test("an unknown cost is reported as unknown, and a small cost is not rounded to zero", () => {
  const text = (sum: Partial<UsageSum>): string => usageText({ day: none, month: { ...month, ...sum }, budgets: [] });
  expect(text({ cost: null, unpriced_calls: 12 })).toContain(
    "850 output tokens, cost unknown\n\nNo budget applies to you.",
  );
  expect(text({ cost: 0.0031, calls: 1 })).toContain("1 call, ");
  expect(text({ cost: 0.0031, unpriced_calls: 1 })).toContain("$0.0031, plus 1 call of unknown cost");
  expect(text({ estimated_calls: 2 })).toContain("$1.26, 2 of the calls estimated");
});

test("a budget that a running call exceeds has nothing left, not a negative amount", () => {
  const own = { scope: "person", period: "day", unit: "tokens", limit: 100, used: 130, resets_at } as const;
  expect(usageText({ day: none, month, budgets: [own] })).toContain("100 tokens, 130% used, 0 tokens left");
});
