import { expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";

test.each([
  ["unix 1700000000", "**2023-11-14T22:13:20Z**"],
  ["1700000000", "**2023-11-14T22:13:20Z** (Tuesday 14 November 2023, UTC)"],
  ["1700000000123", "**2023-11-14T22:13:20.123Z**"],
  ["unix -1", "**1969-12-31T23:59:59Z**"],
  ["unix now", "1795176000 seconds"],
  ["2026-12-25 to unix", "1798156800 seconds"],
  ["2026-12-25 10:00+09:00 in epoch", "1798160400 seconds"],
])("%s", async (question, answer) => {
  expect(await ask(question)).toContain(answer);
});

test.each([
  ["unix 9999999999999999", "outside my calendar's range"],
  [`unix ${"9".repeat(40)}`, "outside my calendar's range"],
  ["2026-02-30 to unix", "does not exist"],
])("gives the reason for a failure: %s", async (question, sentence) => {
  expect(await ask(question)).toContain(sentence);
});

test("a short number is not a timestamp", async () => {
  expect((await run("12345")).skill).toBeUndefined();
});
