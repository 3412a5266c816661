import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAlarm } from "./alarm.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function stillAsleep(sleep: Promise<void>): Promise<boolean> {
  return Promise.race([sleep.then(() => false), vi.advanceTimersByTimeAsync(0).then(() => true)]);
}

test("a sleep ends after its time or at a wake-up; without a time, only at a wake-up", async () => {
  const { sleep, wake } = createAlarm();
  const first = sleep(500);
  await vi.advanceTimersByTimeAsync(499);
  expect(await stillAsleep(first)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await first;
  const second = sleep(500);
  expect(await stillAsleep(second)).toBe(true);
  wake();
  await second;
  const third = sleep();
  expect(await stillAsleep(third)).toBe(true);
  wake();
  await third;
  expect(vi.getTimerCount()).toBe(0);
});

test("a wake-up without a sleeper is remembered, and counts once", async () => {
  const { sleep, wake } = createAlarm();
  wake();
  wake();
  await sleep(500);
  expect(await stillAsleep(sleep(500))).toBe(true);
});
