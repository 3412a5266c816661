import { expect, test } from "vitest";
import { ComputationTimeoutError, withinTime } from "./within-time.ts";

const sleeping = new Int32Array(new SharedArrayBuffer(4));

test("a computation that waits for a busy machine was called too long", () => {
  let runs = 0;
  const run = (): number => {
    runs += 1;
    // Takes time, and no CPU.
    Atomics.wait(sleeping, 0, 0, 350);
    return runs;
  };
  expect(withinTime(300, run)).toBe(2);
});

test.each<[string, () => unknown]>([
  ["needs the CPU", () => /^(a+)+$/.test(`${"a".repeat(60)}!`)],
  ["never gets it", () => Atomics.wait(sleeping, 0, 0)],
])("a computation that %s is stopped", (_name, run) => {
  expect(() => withinTime(50, run)).toThrow(new ComputationTimeoutError("took longer than 50 ms"));
});
