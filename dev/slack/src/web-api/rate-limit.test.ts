import { expect, test } from "vitest";
import { createRateLimiter, SLACK_RATE_LIMITS } from "./rate-limit.ts";

test("a burst passes, then calls come back at the rate of the minute, each key for itself", () => {
  let now = 0;
  const limits = { ...SLACK_RATE_LIMITS, tier_2: { burst: 3, per_minute: 20 } };
  const limiter = createRateLimiter(limits, () => now);
  expect([1, 2, 3].map(() => limiter.take("tier_2", "a"))).toEqual([0, 0, 0]);
  expect(limiter.take("tier_2", "a")).toBe(3);
  expect(limiter.take("tier_2", "b")).toBe(0);
  now += 2000;
  expect(limiter.take("tier_2", "a")).toBe(1);
  now += 1000;
  expect(limiter.take("tier_2", "a")).toBe(0);
  expect(limiter.take("tier_2", "a")).toBe(3);
  now += 3_600_000;
  expect([1, 2, 3, 4].map(() => limiter.take("tier_2", "a"))).toEqual([0, 0, 0, 3]);
});
