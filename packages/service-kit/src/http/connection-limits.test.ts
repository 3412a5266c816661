import { expect, test } from "vitest";
import { openFilesLimit, openFilesWarnings } from "./connection-limits.ts";

test("a start with fewer open files than connections logs a warning with both numbers and the solution", () => {
  expect(openFilesWarnings({ MAX_CONNECTIONS: 10_000 }, 1_024)).toEqual([
    "Open files: 1024 may be open, 10200 may be needed (MAX_CONNECTIONS and 200). Raise the limit (ulimit -n 10200, LimitNOFILE= of systemd).",
  ]);
});

test.each([10_200, 1_048_576, undefined])("a limit of %s is enough for 10,000 connections", (limit) => {
  expect(openFilesWarnings({ MAX_CONNECTIONS: 10_000 }, limit)).toEqual([]);
});

test("the limit of this process is a number or undefined", () => {
  expect(openFilesLimit() ?? 1).toBeGreaterThan(0);
});
