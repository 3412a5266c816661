import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  backoffMs,
  type Clock,
  readRetryAfter,
  retry,
  systemClock,
  TimeLimitError,
  timerMs,
  waited,
  withTimeout,
} from "./timing.ts";

function fakeClock(): Clock & { slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

const settings = { firstMs: 100, longestMs: 1_000, budgetMs: 10_000 };

describe("retry", () => {
  test("repeats retryable failures with growing, random pauses, and returns the result", async () => {
    const clock = fakeClock();
    const result = await retry(
      async (attempt) => {
        if (attempt < 6) throw new Error("busy");
        return attempt;
      },
      { ...settings, clock, retryAfter: () => 0 },
    );
    expect(result).toBe(6);
    const ranges = [100, 200, 400, 800, 1_000];
    clock.slept.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual((ranges[index] ?? 0) / 2);
      expect(ms).toBeLessThanOrEqual(ranges[index] ?? 0);
    });
    expect(new Set(Array.from({ length: 20 }, () => backoffMs(settings, 3))).size).toBeGreaterThan(1);
  });

  test("counts from the first failure: a first attempt longer than the budget is repeated", async () => {
    const clock = fakeClock();
    const result = await retry(
      async (attempt) => {
        await clock.sleep(20_000);
        if (attempt === 1) throw new Error("the other side died while it held back its answer");
        return attempt;
      },
      { ...settings, clock, retryAfter: () => 0 },
    );
    expect(result).toBe(2);
  });

  test("waits at least as long as the error requires", async () => {
    const clock = fakeClock();
    const failing = async (attempt: number): Promise<void> => {
      if (attempt === 1) throw new Error("slow down");
    };
    await retry(failing, { ...settings, clock, retryAfter: () => 3_000 });
    expect(clock.slept[0]).toBeGreaterThanOrEqual(3_000);
  });

  test("starts no attempt beyond its budget, and throws the last error", async () => {
    const clock = fakeClock();
    let attempts = 0;
    const failing = (): Promise<never> => Promise.reject(new Error(`number ${(attempts += 1)}`));
    await expect(retry(failing, { ...settings, clock, retryAfter: () => 4_000 })).rejects.toThrow("number 3");
    expect(clock.now()).toBeLessThanOrEqual(settings.budgetMs);
    await expect(retry(failing, { ...settings, clock, retryAfter: () => 20_000 })).rejects.toThrow("number 4");
  });

  test("never repeats a failure that is not retryable", async () => {
    let attempts = 0;
    const failing = (): Promise<never> => Promise.reject(new Error(`number ${(attempts += 1)}`));
    await expect(retry(failing, { ...settings, clock: fakeClock(), retryAfter: () => undefined })).rejects.toThrow(
      "number 1",
    );
  });

  test("an abort rejects with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const failing = async (): Promise<never> => {
      controller.abort(reason);
      throw new Error("busy");
    };
    const options = { ...settings, clock: fakeClock(), retryAfter: () => 0, signal: controller.signal };
    await expect(retry(failing, options)).rejects.toBe(reason);
  });
});

test("without a budget it retries until it succeeds, with growing pauses", async () => {
  const clock = fakeClock();
  const operation = async (attempt: number): Promise<string> => {
    if (attempt < 9) throw new Error("not yet");
    return "there";
  };
  expect(await retry(operation, { firstMs: 500, longestMs: 30_000, clock })).toBe("there");
  expect(clock.slept[0]).toBeLessThanOrEqual(500);
  expect(clock.slept[7]).toBeGreaterThan(15_000);
  expect(Math.max(...clock.slept)).toBeLessThanOrEqual(30_000);
});

test.each([
  [{}, undefined],
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": " 0.5 " }, 500],
  [{ "retry-after": "Sat, 28 Nov 2026 12:00:06 GMT" }, 6_000],
  [{ "retry-after": "Sat, 28 Nov 2026 12:00:06 GMT", date: "Sat, 28 Nov 2026 12:00:04 GMT" }, 2_000],
  [{ "retry-after": "Saturday, 28-Nov-26 12:00:06 GMT" }, 6_000],
  [{ "retry-after": "Sat, 28 Nov 2026 11:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "2026-11-28" }, undefined],
  [{ "retry-after": null }, undefined],
  [{ "retry-after": "-1" }, undefined],
])("J19: Retry-After in %j is a wait of %s ms", (headers, ms) => {
  expect(readRetryAfter(headers, Date.parse("2026-11-28T12:00:00Z"))).toBe(ms);
});

test("O29: a timer whose time has passed, or is a month away, is no warning beside the log and does not fire early", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  await systemClock.sleep(-5);
  await expect(withTimeout(-1, () => new Promise(() => undefined))).rejects.toThrow(TimeLimitError);
  const month = new AbortController();
  setTimeout(() => month.abort(), 20);
  expect(await waited(31 * 86_400_000, month.signal)).toBe(false);
  expect(await waited(-5, new AbortController().signal)).toBe(true);
  expect([-1, 7, Infinity].map(timerMs)).toEqual([0, 7, 2 ** 31 - 1]);
  expect(warn).not.toHaveBeenCalled();
});
