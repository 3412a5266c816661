import { expect, onTestFinished, test, vi } from "vitest";
import type { CallRun } from "./call-run.ts";
import { keepLeases } from "./keep-leases.ts";

const run: CallRun = {
  id: "one",
  attempt: 1,
  isEnding: false,
  drop: () => undefined,
  abandon: () => undefined,
  tellLetGo: () => undefined,
  ended: Promise.resolve(),
};

test("N5: leases count as fresh only for half of their time after they were renewed, so that what runs here is not taken again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const runs: CallRun[] = [];
  const renewals: number[] = [];
  let isAway = false;
  const { keep, areFresh } = keepLeases({
    store: {
      leaseMs: 30_000,
      lost: async () => [],
      renew: async (held) => {
        if (isAway) throw new Error("the database is away");
        renewals.push(held.length);
      },
    },
    observer: { storeFailed: () => undefined } as never,
    runs: () => runs,
  });
  expect(areFresh()).toBe(false);
  await keep();
  expect(areFresh()).toBe(true);
  runs.push(run);
  vi.advanceTimersByTime(9_999);
  await keep();
  expect(renewals).toEqual([]);
  vi.advanceTimersByTime(1);
  await keep();
  expect(renewals).toEqual([1]);
  isAway = true;
  vi.advanceTimersByTime(14_999);
  await keep();
  expect(areFresh()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(areFresh()).toBe(false);
  isAway = false;
  await keep();
  expect(areFresh()).toBe(true);
});
