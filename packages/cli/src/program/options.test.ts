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
