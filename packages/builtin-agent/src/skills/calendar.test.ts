import { describe, expect, test } from "vitest";
import { ask } from "../testing/ask-builtin.ts";

describe("calendar", () => {
  test.each([
    [
      "days until 2026-12-25",
      "**35 days** from Friday 20 November 2026 to Friday 25 December 2026. Today is Friday 20",
    ],
    ["How many days until dec 25?", "**35 days**"],
    ["days until next friday", "**7 days**"],
    ["weeks until 2027-06-01", "**193 days** (27 weeks, 4 days)"],
    ["days since 2020-01-01", "**2,515 days**"],
    ["days since may 1", "from Friday 1 May 2026 to Friday 20 November 2026"],
    ["days between 2027-01-01 and 2026-01-01", "**365 days** from Friday 1 January 2027 back to"],
    ["days from 2020-02-29 to 2024-02-29", "**1,461 days**"],
    ["what day is 2027-01-01", "is a **Friday**"],
    ["what day of the week is 25 December 2026?", "is a **Friday**"],
    ["13/4/2027", "2027-04-13"],
    ["tomorrow", "2026-11-21"],
    ["2026-03-01 + 45 days", "**Wednesday 15 April 2026**"],
    ["2026-01-31 + 1 month", "**Saturday 28 February 2026**"],
    ["today - a week", "**Friday 13 November 2026**"],
    ["3 weeks before 24 December 2026", "**Thursday 3 December 2026**"],
    ["45 days ago", "**Tuesday 6 October 2026**"],
    ["what date is it in 45 days", "**Monday 4 January 2027** (2027-01-04). Today is Friday"],
    ["two weeks from now", "**Friday 4 December 2026**"],
    ["what is the date today", "Today is **Friday 20 November 2026** (2026-11-20) in UTC."],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["days until 2026-02-30", "There is no day `2026-02-30`."],
    ["days until the release", "I don't understand the date `the release`."],
    ["days until 3/4/2027", "`3/4/2027` can mean two days"],
    ["2026-03-01 + 999999 years", "outside my calendar's range"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    expect(await ask(question)).toContain(sentence);
  });
});

describe("world clock", () => {
  test.each([
    ["time in Tokyo", "- **Tokyo: 21:00**, Friday 20 November 2026 (Asia/Tokyo, UTC+09:00)"],
    ["can you tell me what time it is in los angeles", "**Los Angeles: 04:00**"],
    ["time in europe/london", "**London: 12:00**"],
    ["what time is it?", "**UTC: 12:00**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test("answers for several places in the order of the question", async () => {
    const lines = (await ask("what time is it in New York and London, Tokyo")).split("\n");
    expect(lines.map((line) => line.slice(2, 12))).toEqual(["**New York", "**London: ", "**Tokyo: 2"]);
  });
});
