import { expect, test } from "vitest";
import { createTokenBuckets } from "./token-buckets.ts";

test("a burst up to the capacity passes, then one token at a time is refilled", () => {
  let at = 1_000;
  const buckets = createTokenBuckets({ capacity: 3, perMinute: 60, now: () => at });
  expect([1, 2, 3].map(() => buckets.take("U1"))).toEqual([0, 0, 0]);
  expect(buckets.take("U1")).toBe(1_000);
  at += 400;
  expect(buckets.take("U1")).toBe(600);
  at += 600;
  expect(buckets.take("U1")).toBe(0);
  expect(buckets.take("U1")).toBe(1_000);
});

test("a refused take costs nothing, and a bucket never exceeds its capacity", () => {
  let at = 0;
  const buckets = createTokenBuckets({ capacity: 2, perMinute: 60, now: () => at });
  for (let index = 0; index < 50; index += 1) buckets.take("U1");
  at += 1_000;
  expect(buckets.take("U1")).toBe(0);
  at += 3_600_000;
  expect([1, 2, 3].map(() => buckets.take("U1"))).toEqual([0, 0, 1_000]);
});

test("each key has its own bucket, and the number of remembered keys is limited", () => {
  const buckets = createTokenBuckets({ capacity: 1, perMinute: 1, most: 2, now: () => 0 });
  expect(["a", "b", "a"].map((key) => buckets.take(key))).toEqual([0, 0, 60_000]);
  buckets.take("c");
  expect(buckets.take("a")).toBe(60_000);
  expect(buckets.take("b")).toBe(0);
});
