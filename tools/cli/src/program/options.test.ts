import { expect, test } from "vitest";
import { readRange } from "./options.ts";

const now = Date.parse("2026-11-21T10:00:00Z");

test("a range is read from days, times, and how long ago", () => {
  expect(readRange({}, now)).toEqual({});
  expect(readRange({ since: "7d", until: "12h" }, now)).toEqual({
    since: "2026-11-14T10:00:00.000Z",
    until: "2026-11-20T22:00:00.000Z",
  });
  expect(readRange({ since: "2026-11-01" }, now)).toEqual({ since: "2026-11-01T00:00:00Z" });
  expect(readRange({ month: "2026-02" }, now)).toEqual({
    since: "2026-02-01T00:00:00.000Z",
    until: "2026-03-01T00:00:00.000Z",
  });
});

/** The clock of this machine at a time of the day of `now`, days later. */
const clock = (hours: number, minutes: number, days = 0): string =>
  new Date(new Date(now).setHours(hours, minutes, 0, 0) + days * 86_400_000).toISOString();
const local = new Date(now);
const [hour, minute] = [local.getHours(), local.getMinutes()];
const later = (hour + 1) % 24;

test.each([
  ["10m", "2026-11-21T09:50:00.000Z"],
  ["90m", "2026-11-21T08:30:00.000Z"],
  ["2h", "2026-11-21T08:00:00.000Z"],
  ["7d", "2026-11-14T10:00:00.000Z"],
  [`${hour}:${String(minute).padStart(2, "0")}`, clock(hour, minute)],
  [`${later}:00`, clock(later, 0, later > hour ? -1 : 0)],
  ["2026-11-20", "2026-11-20T00:00:00Z"],
  ["2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"],
])("O7: --since %s", (since, at) => {
  expect(readRange({ since }, now)).toEqual({ since: at });
});

test("O7: a clock time of --until is the first after --since", () => {
  const since = clock(hour, minute, -2);
  expect(readRange({ since, until: `${later}:00` }, now)).toEqual({
    since,
    until: later > hour ? clock(later, 0, -1) : clock(later, 0),
  });
  expect(readRange({ since: `${later}:00`, until: `${later}:30` }, now).until).toBe(
    clock(later, 30, later > hour ? -1 : 0),
  );
});

test.each(["tomorrow", "25:00", "10:60", "10s", "0x1m", "2026-13-01", "-5m", ""])(
  "O7: --since %j is refused",
  (since) => {
    expect(() => readRange({ since }, now)).toThrow(/--since must be a time, such as 10m, 2h or 7d ago, today, 10:30/);
  },
);

test("Q21: a range begins with today or yesterday, by the clock of this machine", () => {
  const midnight = (day: number): string =>
    new Date(new Date(now + day * 86_400_000).setHours(0, 0, 0, 0)).toISOString();
  expect(readRange({ since: "yesterday", until: "today" }, now)).toEqual({ since: midnight(-1), until: midnight(0) });
});

test("O7: a range that ends before it begins is refused", () => {
  expect(() => readRange({ since: "10m", until: "2h" }, now)).toThrow(/--since must be before --until/);
});
