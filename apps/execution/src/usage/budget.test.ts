import { expect, test } from "vitest";
import { nearlyUsedSentence, parseBudget, periodName, usedUpSentence, type Budget } from "./budget.ts";

const daily: Budget = { scope: "person", period: "day", unit: "usd", limit: 5_000_000 };

test.each([
  ["person/day=5usd", daily],
  ["team/month=0.5USD", { scope: "team", period: "month", unit: "usd", limit: 500_000 }],
  ["channel/day=2000000tokens", { scope: "channel", period: "day", unit: "tokens", limit: 2_000_000 }],
] as const)("%s is a budget", (text, budget) => {
  expect(parseBudget(text)).toEqual(budget);
});

test.each([
  "person/day",
  "person/week=5usd",
  "boss/day=5usd",
  "person/day=0usd",
  "agent/day=1.5tokens",
  "team/day=-1usd",
])("%s is not a budget", (text) => {
  expect(parseBudget(text)).toBeUndefined();
});

test("U3: a refusal names the budget's owner, size and reset", () => {
  const monthly: Budget = { scope: "team", period: "month", unit: "tokens", limit: 2_000_000 };
  expect(usedUpSentence(daily, new Date("2026-12-31T23:59:59Z"))).toBe(
    "Your budget for language models, $5.00 a day, has no room for this. It resets on 1 January at 00:00 UTC.",
  );
  expect(usedUpSentence(monthly, new Date("2026-11-21T12:00:00Z"))).toBe(
    "Your team's budget for language models, 2,000,000 tokens a month, has no room for this. It resets on 1 December at 00:00 UTC.",
  );
  expect(nearlyUsedSentence(daily)).toBe("Your budget for language models, $5.00 a day, is 80% used.");
});

test("periods are days and months in UTC", () => {
  const at = new Date("2026-11-30T23:30:00-02:00");
  expect([periodName("day", at), periodName("month", at)]).toEqual(["2026-12-01", "2026-12"]);
});
