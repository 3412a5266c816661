import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";
import { retryForever } from "./retry.ts";

test("retries until it succeeds, with growing pauses", async () => {
  const slept: number[] = [];
  const attempts: number[] = [];
  const clock = { ...systemClock, sleep: async (ms: number) => void slept.push(ms) };
  const operation = async (): Promise<string> => {
    if (attempts.length < 8) throw new Error("not yet");
    return "there";
  };
  const signal = new AbortController().signal;
  expect(await retryForever(operation, { signal, clock, onFailure: (_error, attempt) => attempts.push(attempt) })).toBe(
    "there",
  );
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(slept[0]).toBeLessThanOrEqual(500);
  expect(slept[7]).toBeGreaterThan(15_000);
  expect(Math.max(...slept)).toBeLessThanOrEqual(30_000);
});

test("ends when the app is stopped", async () => {
  const controller = new AbortController();
  const operation = async (): Promise<never> => {
    throw new Error("not yet");
  };
  const insisting = retryForever(operation, {
    signal: controller.signal,
    clock: systemClock,
    onFailure: () => controller.abort(new Error("stopped")),
  });
  await expect(insisting).rejects.toThrow("stopped");
});
