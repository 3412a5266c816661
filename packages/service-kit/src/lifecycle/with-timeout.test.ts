import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { TimeLimitError, withTimeout } from "./with-timeout.ts";

test("work that finishes in time returns its result or its own error, thrown or rejected", async () => {
  await expect(withTimeout(1_000, () => 1)).resolves.toBe(1);
  await expect(withTimeout(1_000, () => Promise.reject(new Error("own")))).rejects.toThrow("own");
  const thrower = (): number => {
    throw new Error("thrown");
  };
  await expect(withTimeout(1_000, thrower)).rejects.toThrow("thrown");
});

test("late work is aborted and not awaited", async () => {
  let signal: AbortSignal | undefined;
  const work = (given: AbortSignal): Promise<void> => {
    signal = given;
    return sleep(10_000, undefined, { ref: false });
  };
  await expect(withTimeout(20, work)).rejects.toThrow(TimeLimitError);
  expect(signal?.aborted).toBe(true);
});
