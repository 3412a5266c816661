import { describe, expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";
import { ABBREVIATIONS_BY_ZONE, PLACES_BY_ZONE } from "../dates/cities.ts";

describe("world clock", () => {
  test.each([
    ["time in Tokyo", "**Tokyo: 21:00**, Friday 20 November 2026 (Asia/Tokyo, UTC+9)"],
    ["can you tell me what time it is in san francisco", "**San Francisco: 04:00**"],
    ["time in asia/kolkata", "**Kolkata: 17:30**"],
    ["time in UTC-3:30", "**UTC-3:30: 08:30**"],
    ["tokyo time", "**Tokyo: 21:00**"],
    ["what time is it?", "**UTC: 12:00**"],
    ["3pm Tokyo in New York", "**New York: 1:00 am**, Friday 20 November 2026"],
    ["when it's 3pm in Tokyo, what time is it in London and Paris?", "**Paris: 7:00 am**"],
    ["midnight UTC in Honolulu", "**Honolulu: 14:00**, Thursday 19 November 2026"],
    ["15:30 UTC tomorrow in Berlin", "**Berlin: 16:30**, Saturday 21 November 2026"],
    ["2026-07-01 09:00 est to cet", "**CET: 15:00**"],
    ["3pm nyc", "**UTC: 8:00 pm**"],
    ["time difference between Delhi and London", "London is **5 h 30 min behind** Delhi now."],
    ["time difference between Paris and Berlin", "**the same time**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test("answers for several places in the order of the question", async () => {
    const lines = (await ask("what time is it in New York and London, Mumbai")).split("\n");
    expect(lines.map((line) => line.slice(2, 12))).toEqual(["**New York", "**London: ", "**Mumbai: "]);
  });

  test("a nonexistent time is reported as such", async () => {
    expect(await ask("2027-03-14 02:30 New York in UTC")).toBe(
      "**02:30 does not exist in New York on Sunday 14 March 2027:** the clocks go forward from 02:00 to 03:00.",
    );
    expect(await ask("02:15 Australia/Lord_Howe on 2026-10-04 in UTC")).toContain("from 02:00 to 02:30");
    expect(await ask("2011-12-30 10:00 Pacific/Apia in UTC")).toContain("the place skipped that day");
  });

  test("an ambiguous time gets two answers", async () => {
    const answer = await ask("2026-11-01 01:30 New York in UTC");
    expect(answer).toContain("**twice**");
    expect(answer).toContain("UTC: 05:30");
    expect(answer).toContain("UTC: 06:30");
  });

  test.each([
    ["time in Narnia", "don't know the time zone of `Narnia`"],
    ["3pm Tokyo in Narnia", "`Narnia`"],
    ["time in usa", "more than one time zone"],
    ["3pm Tokyo on 2026-02-30 in UTC", "There is no 30 February 2026"],
    [`time in ${"Paris, ".repeat(12)}Rome`, "at most 10 places"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    expect(await ask(question)).toContain(sentence);
  });

  test.each([
    "lunch time",
    "25:00 tokyo in london",
    "13pm tokyo in london",
    "I will see you at 3pm tomorrow in London",
    "time flies",
  ])("is not a question about time zones: %s", async (text) => {
    expect((await run(text)).skill).not.toBe("world-clock");
  });

  test("every listed place has a clock", async () => {
    const names = [...Object.values(PLACES_BY_ZONE), ...Object.values(ABBREVIATIONS_BY_ZONE)].flatMap((row) =>
      row.split(", "),
    );
    expect(names.length).toBeGreaterThan(200);
    const answers = await Promise.all(names.map((name) => ask(`time in ${name}`)));
    expect(answers.filter((answer) => !/^- \*\*.+: \d\d:\d\d\*\*/.test(answer))).toEqual([]);
  });
});
