import { expect, test } from "vitest";
import { createSlackClock, isTimestamp } from "./slack-clock.ts";

test("timestamps are never the same, grow also as text, and have Slack's form, even when the clock stands or goes back", () => {
  let now = 1_700_000_000_000;
  const clock = createSlackClock(() => now);
  const issued = Array.from({ length: 2500 }, () => clock.ts());
  now -= 5000;
  issued.push(clock.ts());
  expect(issued[0]).toBe("1700000000.000000");
  expect(new Set(issued).size).toBe(issued.length);
  expect(issued.toSorted()).toEqual(issued);
  expect(issued.every(isTimestamp)).toBe(true);
  expect(clock.seconds()).toBe(1_699_999_995);
});

test.each(["", "1700000000", "1700000000.1", "1700000000.000000 ", "17e8.000000"])("%j is no timestamp", (value) => {
  expect(isTimestamp(value)).toBe(false);
});
