import { isAgentTask } from "@crosszone/contracts";
import { assert, property, stringMatching } from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newTask } from "../testing/bridge-under-test.ts";
import { deadlineMsOf } from "./leased-call.ts";

const days = (count: number): number => count * 24 * 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-03-01T12:00:00Z") }));
afterEach(() => void vi.useRealTimers());

test("a deadline is read with its offset, and as UTC without one, whatever the machine's time zone", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  for (const deadline of [
    "2026-03-01T12:01:00Z",
    "2026-03-01T12:01:00",
    "2026-03-01T12:01:00.000000001",
    "2026-03-01T21:01:00+09:00",
  ])
    expect(deadlineMsOf({ deadline }, 5)).toBe(60_000);
  vi.unstubAllEnvs();
  expect(deadlineMsOf({ deadline: "2026-03-01T12:00:60Z" }, 5)).toBe(59_000);
});

test("without a deadline the default applies; a past deadline leaves no time, a distant one seven days", () => {
  expect(deadlineMsOf({}, 5)).toBe(5);
  expect(deadlineMsOf({ deadline: "0001-01-01T00:00:00Z" }, 5)).toBe(0);
  expect(deadlineMsOf({ deadline: "9999-12-31T23:59:60Z" }, 5)).toBe(days(7));
});

test("every deadline that the contract accepts converts to milliseconds", () => {
  const form = stringMatching(
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/,
  );
  assert(
    property(form, (deadline) => {
      expect(isAgentTask(newTask("t1", { deadline }))).toBe(true);
      const ms = deadlineMsOf({ deadline }, 5);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(days(7));
    }),
  );
});
