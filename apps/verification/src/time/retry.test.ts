import { ZoneError } from "@crosszone/contracts";
import { backoffMs } from "@crosszone/sql";
import { LinkError } from "@crosszone/jsonrpc";
import { describe, expect, test } from "vitest";
import { systemClock, type Clock } from "./clock.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { slackRetryAfter } from "../answering/posting/slack-failures.ts";
import { zoneRetryAfter } from "../answering/tasks/zone-retry.ts";
import { retryForever, retrying } from "./retry.ts";

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

describe("retrying", () => {
  test("repeats retryable failures with growing, random pauses, and returns the result", async () => {
    const clock = fakeClock();
    const result = await retrying(
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
    const result = await retrying(
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
    await retrying(failing, { ...settings, clock, retryAfter: () => 3_000 });
    expect(clock.slept[0]).toBeGreaterThanOrEqual(3_000);
  });

  test("starts no attempt beyond its budget, and throws the last error", async () => {
    const clock = fakeClock();
    let attempts = 0;
    const failing = (): Promise<never> => Promise.reject(new Error(`number ${(attempts += 1)}`));
    await expect(retrying(failing, { ...settings, clock, retryAfter: () => 4_000 })).rejects.toThrow("number 3");
    expect(clock.now()).toBeLessThanOrEqual(settings.budgetMs);
    await expect(retrying(failing, { ...settings, clock, retryAfter: () => 20_000 })).rejects.toThrow("number 4");
  });

  test("never repeats a failure that is not retryable", async () => {
    let attempts = 0;
    const failing = (): Promise<never> => Promise.reject(new Error(`number ${(attempts += 1)}`));
    await expect(retrying(failing, { ...settings, clock: fakeClock(), retryAfter: () => undefined })).rejects.toThrow(
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
    await expect(retrying(failing, options)).rejects.toBe(reason);
  });
});

describe("E4: only requests marked as retryable are sent again", () => {
  test.each([
    [new LinkError("unreachable", ""), 0],
    [new LinkError("timeout", ""), 0],
    [new LinkError("invalid_response", ""), undefined],
    [new LinkError("aborted", ""), undefined],
    [new LinkError("server_error", "", { retryable: true }), 0],
    [new ZoneError("rate_limited", { retry_after_ms: 700 }), 700],
    [new ZoneError("shutting_down"), 0],
    [new ZoneError("shutting_down", { task_id: "task-1" }), 0],
    [new ZoneError("agent_unavailable"), 0],
    [new ZoneError("agent_unavailable", { task_id: "task-1" }), undefined],
    [new ZoneError("internal"), undefined],
    [new ZoneError("timeout"), undefined],
    [new Error("bug"), undefined],
  ])("%s", (error, wait) => {
    expect(zoneRetryAfter(error)).toBe(wait);
  });

  test.each([
    ["refused", undefined],
    ["rate_limited", 2_000],
    ["unavailable", 0],
  ] as const)("a Slack call that was %s", (failure, wait) => {
    const detail = failure === "rate_limited" ? { retryAfterMs: 2_000 } : {};
    expect(slackRetryAfter(new SlackCallError("chat.update", { failure, code: "x", ...detail }))).toBe(wait);
  });
});

test("retries forever until it succeeds, with growing pauses", async () => {
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

test("retries end when the app is stopped", async () => {
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
