import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";
import { addWorkdays, workdaysBetween } from "../dates/describe-dates.ts";

describe("calendar", () => {
  test.each([
    ["days until 2026-12-25", "**35 days** (1 month, 5 days) from Friday 20 November 2026 to Friday 25 December 2026"],
    ["How many days until christmas?", "**35 days**"],
    ["days until friday", "**7 days**"],
    ["days until 29 feb", "to Tuesday 29 February 2028"],
    ["weeks until 2027-06-01", "**27 weeks, 4 days** (193 days)"],
    ["days since 2020-01-01", "**2,515 days**"],
    ["days between 2020-02-29 and 2024-02-29", "**1,461 days** (4 years)"],
    ["days between 2027-01-01 and 2026-01-01", "**365 days** (1 year) from Friday 1 January 2027 back to"],
    ["business days until dec 31", "**29 workdays**"],
    ["what day is 2027-01-01", "is a **Friday**"],
    ["what day of the week is 25 December 2026?", "is a **Friday**"],
    ["what day does christmas fall on", "2026-12-25"],
    ["2026-03-01 + 45 days", "**Wednesday 15 April 2026**"],
    ["2026-01-31 + 1 month", "**Saturday 28 February 2026**"],
    ["3 weeks before 24 December 2026", "**Thursday 3 December 2026**"],
    ["45 days ago", "**Tuesday 6 October 2026**"],
    ["what date is it in 45 days", "**Monday 4 January 2027**"],
    ["10 business days from today", "**Friday 4 December 2026**"],
    ["day after tomorrow", "2026-11-22"],
    ["13/4/2027", "2027-04-13"],
    ["what week is it", "**week 47** of 2026"],
    ["what is the date today", "**Friday 20 November 2026**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["days until 2026-02-30", "There is no 30 February 2026."],
    ["2026-13-01", "There is no month 13."],
    ["days until 3/4/2027", "`2027-04-03` or `2027-03-04`"],
    ["2026-03-01 + 999999 years", "outside my calendar's range"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    expect(await ask(question)).toContain(sentence);
  });

  test("states that today is in UTC if the answer depends on it", async () => {
    expect(await ask("days until 2026-12-25")).toContain("Today is Friday 20 November 2026 in UTC");
    expect(await ask("days between 2026-01-01 and 2026-02-01")).not.toContain("Today");
  });

  test.each(["days in the sun", "date night ideas", "may", "10 days in hours", "2026-03-01 + 5 hours"])(
    "is not a calendar question: %s",
    async (text) => {
      expect((await run(text)).skill).not.toBe("calendar");
    },
  );
});

describe("workdays", () => {
  const day = fc.integer({ min: 0, max: 3000 }).map((days) => Temporal.PlainDate.from("2020-01-01").add({ days }));

  test("counting agrees with checking every single day", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 60 }), (start, days) => {
        const each = Array.from({ length: days }, (_unused, index) => start.add({ days: index }));
        expect(workdaysBetween(start, start.add({ days }))).toBe(each.filter((one) => one.dayOfWeek <= 5).length);
      }),
    );
  });

  test("adding workdays and then counting gives the same number, and ends on a workday", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 500 }), (start, count) => {
        const end = addWorkdays(start, count);
        expect(end.dayOfWeek).toBeLessThanOrEqual(5);
        expect(workdaysBetween(start.add({ days: 1 }), end.add({ days: 1 }))).toBe(count);
      }),
    );
  });

  test("subtracting mirrors adding", () => {
    expect(addWorkdays(Temporal.PlainDate.from("2026-11-23"), -10).toString()).toBe("2026-11-09");
    expect(addWorkdays(Temporal.PlainDate.from("2026-11-22"), -1).toString()).toBe("2026-11-20");
    expect(addWorkdays(Temporal.PlainDate.from("2026-11-22"), 0).toString()).toBe("2026-11-22");
  });
});
