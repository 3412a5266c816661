import { expect, test } from "vitest";
import { judgeCanary, resultOf, type EndedTask } from "./judge-canary.ts";

const limits = { share: 0.1, max_error_rate: 0.1, max_latency_ratio: 2, min_tasks: 10 };
const ended = (count: number, task: Partial<EndedTask> = {}): EndedTask[] =>
  Array.from({ length: count }, () => ({ state: "succeeded", kind: null, tookMs: 100, ...task }));
const failed = (count: number): EndedTask[] => ended(count, { state: "failed", kind: "task_failed", tookMs: 1 });

test("K2: a canary whose failures exceed its limit must end, once enough of its tasks have ended", () => {
  const stable = ended(90);
  expect(judgeCanary(limits, { canary: failed(9), stable })).toBeUndefined();
  expect(judgeCanary(limits, { canary: [...ended(9), ...failed(1)], stable })).toBeUndefined();
  expect(judgeCanary(limits, { canary: [...ended(8), ...failed(2)], stable })).toBe(
    "2 of 10 tasks of the canary failed, and 0 of 90 others.",
  );
});

test("K2: only the difference counts: a canary of a failing agent is not worse", () => {
  const canary = [...ended(8), ...failed(2)];
  expect(judgeCanary(limits, { canary, stable: [...ended(80), ...failed(20)] })).toBeUndefined();
});

test("K2: a canary whose median task takes too long must end; a few slow ones don't count", () => {
  const stable = ended(90);
  const slow = ended(6, { tookMs: 250 });
  expect(judgeCanary(limits, { canary: [...ended(4), ...slow], stable })).toBe(
    "The median task of the canary takes 250 ms, and that of the others 100 ms.",
  );
  expect(judgeCanary(limits, { canary: [...ended(6), ...slow.slice(2)], stable })).toBeUndefined();
  expect(judgeCanary(limits, { canary: ended(10, { tookMs: 200 }), stable })).toBeUndefined();
});

test("a canary that gets every task is judged by its errors alone; without a duration, latency is ignored", () => {
  expect(judgeCanary(limits, { canary: ended(50, { tookMs: 9_000 }), stable: [] })).toBeUndefined();
  expect(judgeCanary(limits, { canary: failed(10), stable: [] })).toContain("10 of 10");
  expect(judgeCanary(limits, { canary: ended(10, { tookMs: null }), stable: ended(90) })).toBeUndefined();
});

test("a question counts as an answer, and failures that the agent did not cause do not count", () => {
  expect(resultOf({ state: "failed", kind: "input_required" })).toBe("success");
  expect(resultOf({ state: "failed", kind: "circuit_open" })).toBe("error");
  expect(resultOf({ state: "canceled", kind: "canceled" })).toBe("other");
  const canary = [...failed(9), ...ended(5, { state: "failed", kind: "agent_disabled" })];
  expect(judgeCanary(limits, { canary, stable: ended(90) })).toBeUndefined();
});
