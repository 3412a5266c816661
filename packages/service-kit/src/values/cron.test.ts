import { describe, expect, test } from "vitest";
import { interval, latestTimes, readCron, type Times } from "./cron.ts";

function timesOf(cron: string, zone: string): Times {
  const times = readCron(cron, zone);
  if (!("next" in times)) throw new Error(JSON.stringify(times));
  return times;
}

/** Returns the next times as `dd hh:mm` in UTC. */
function nextOf([cron, zone]: readonly [cron: string, zone: string], from: string, count: number): string {
  const { next } = timesOf(cron, zone);
  const found: string[] = [];
  for (let at = next(Date.parse(from)); found.length < count; at = next(at))
    found.push(new Date(at).toISOString().slice(8, 16).replace("T", " "));
  return found.join(", ");
}

const [ny, howe, berlin] = ["America/New_York", "Australia/Lord_Howe", "Europe/Berlin"];

describe("P4: a clock that changes neither repeats nor loses a time", () => {
  test.each([
    ["a fixed time in the repeated hour: once", "30 1 * * *", ny, "2026-11-01T00:00Z", "01 05:30, 02 06:30"],
    ["a list there: each once", "*/30 1 * * *", ny, "2026-11-01T00:00Z", "01 05:00, 01 05:30, 02 06:00"],
    ["with an hour outside it: each once", "30 1,3 * * *", ny, "2026-11-01T00:00Z", "01 05:30, 01 08:30, 02 06:30"],
    ["asked between both passes: the next day", "30 1 * * *", ny, "2026-11-01T06:10Z", "02 06:30, 03 06:30"],
    ["a repeat of 30 minutes: once", "45 1 * * *", howe, "2026-04-04T00:00Z", "04 14:45, 05 15:15"],
    ["each half hour of it: once", "*/30 1 * * *", howe, "2026-04-04T00:00Z", "04 14:00, 04 14:30, 05 14:30"],
    ["a gap: its first moment, and back the next day", "30 2 * * *", ny, "2026-03-08T00:00Z", "08 07:00, 09 06:30"],
    ["several times in a gap: once", "*/10 2 * * *", ny, "2026-03-08T00:00Z", "08 07:00, 09 06:00, 09 06:10"],
    ["a gap and its end: once", "0,30 2,3 * * *", ny, "2026-03-08T00:00Z", "08 07:00, 08 07:30, 09 06:00"],
    ["a gap of 30 minutes", "15 2 * * *", howe, "2026-10-03T00:00Z", "03 15:30, 04 15:15"],
    ["a midnight that is missing", "0 0 * * *", "America/Santiago", "2026-09-05T12:00Z", "06 04:00, 07 03:00"],
    ["each minute: through the repeated hour", "* * * * *", ny, "2026-11-01T05:58Z", "01 05:59, 01 06:00, 01 06:01"],
    ["each minute: not again and again", "* * * * *", ny, "2026-11-01T06:59Z", "01 07:00, 01 07:01"],
    ["each hour: through the repeated hour", "30 * * * *", ny, "2026-11-01T05:00Z", "01 05:30, 01 06:30, 01 07:30"],
    ["each hour: over a gap", "30 * * * *", ny, "2026-03-08T06:00Z", "08 06:30, 08 07:30"],
    ["each hour of one day only", "0 * 1 11 *", ny, "2026-11-01T05:00Z", "01 06:00, 01 07:00, 01 08:00"],
    ["UTC: untouched", "30 1 * * *", "UTC", "2026-10-25T00:00Z", "25 01:30, 26 01:30"],
    ["a repeated hour in Europe", "30 2 * * *", berlin, "2026-10-25T00:00Z", "25 00:30, 26 01:30"],
  ])("%s", (_, cron, ...[zone, from, expected]) => {
    expect(nextOf([cron, zone], from, expected.split(",").length)).toBe(expected);
  });
});

test.each([
  ["0 0 * * 7", "29 00:00"],
  ["0 0 * * SUN", "29 00:00"],
  ["0 0 * * 6-7", "29 00:00"],
  ["0 0 13 * 5", "04 00:00"],
  ["*/7 * * * *", "28 12:07"],
  ["0 0 29 2 *", "29 00:00"],
  ["  0   9 * JAN-MAR 1-5 ", "01 09:00"],
])("the field forms of cron: %s", (cron, expected) => {
  expect(nextOf([cron, "UTC"], "2026-11-28T12:00Z", 1)).toBe(expected);
});

test.each([
  ["* * * *", "has 4 fields: write five"],
  ["* * * * * *", "has 6 fields: write five"],
  ["0 0 1 1 * 2026 *", "has 7 fields: write five"],
  ["@daily", "write 0 0 * * * instead of @daily"],
  ["0 0 30 2 *", "never comes"],
  ["0 22-2 * * *", "write 22-23,0-2"],
  ["5-1 * * * *", "write 5-59,0-1"],
  ["5/15 * * * *", "write 5-59/15"],
  ["0 0 L * *", 'has "L" as day of month'],
  ["0 0 15W * *", 'has "15W" as day of month'],
  ["0 0 ? * 1", 'has "?" as day of month'],
  ["0 0 * * 1#2", 'has "1#2" as day of week'],
  ["0 0 1 * +1", 'has "+1" as day of week'],
  ["60 0 * * *", "has 60 as minute: write 0 to 59"],
  ["0 0 * FOO *", "has FOO as month: write 1 to 12, or JAN to DEC"],
  ["0 0 * 13 *", "has 13 as month: write 1 to 12, or JAN to DEC"],
  ["0 0 0 * *", "has 0 as day of month: write 1 to 31"],
  ["0 0 * * 1-8", "has 1-8 as day of week: write 0 to 7, or SUN to SAT"],
  ["0 0 * * JAN", "has JAN as day of week"],
  ["*/0 * * * *", "has */0 as minute: a step is 1 to 59"],
  ["0 0 * * FRI-MON", "write FRI-SAT,SUN-MON"],
  ["0 0 * * fri-sun", "write fri-SAT,sun"],
  ["0 0 * NOV-FEB *", "write NOV-DEC,JAN-FEB"],
  ["TZ=Europe/Berlin 30 9 * * 1-5", "has no time zone: write Europe/Berlin as the zone, and here only 30 9 * * 1-5"],
  ["CRON_TZ=UTC 0 0 * * *", "write UTC as the zone"],
  ["", "has 1 fields"],
])("O28: a cron text that is refused says what to write: %s", (cron, problem) => {
  expect(readCron(cron, "UTC")).toEqual({ cron: expect.stringContaining(problem) as unknown });
});

test.each([
  "0 22-23,0-2 * * *",
  "0 0 * * FRI-SAT,SUN-MON",
  "0 0 * * fri-SAT,sun",
  "0 0 * NOV-DEC,JAN-FEB *",
  "5-59/15 * * * *",
])("O28: what such a sentence says can be written: %s", (cron) => expect(readCron(cron, "UTC")).toHaveProperty("next"));

test.each(["Mars/Olympus", "GMT+2", "+02:00", ""])("the zone %j is refused", (zone) => {
  expect(readCron("0 9 * * *", zone)).toEqual({ zone: expect.stringContaining("Europe/Berlin") as unknown });
});

test("an interval counts from its anchor, whenever it is asked", () => {
  const { next } = interval(60_000, 1_000);
  expect([0, 1_000, 60_999, 61_000, 600_500].map(next)).toEqual([61_000, 61_000, 61_000, 121_000, 601_000]);
});

test("the latest times of a year of minutes are found at once, and none before the first", () => {
  const [from, until] = [Date.parse("2025-11-28T12:00Z"), Date.parse("2026-11-28T12:00Z")];
  const latest = latestTimes(timesOf("* * * * *", berlin), { from, until, most: 100 });
  expect(latest).toEqual(Array.from({ length: 100 }, (_, index) => until - (99 - index) * 60_000));
  expect(latestTimes(interval(60_000, 0), { from: 120_000, until: 180_000, most: 10 })).toEqual([120_000, 180_000]);
});
