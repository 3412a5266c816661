import { expect, test } from "vitest";
import { defaultRedelivery, redeliveryDelay } from "./redelivery.ts";

test("the waits double up to the longest, none shorter than half of it, and are not the same for all", () => {
  for (let attempt = 1; attempt <= 2_000; attempt += 1) {
    const full = Math.min(30_000, 100 * 2 ** (attempt - 1));
    const wait = redeliveryDelay(defaultRedelivery, attempt);
    expect(wait).toBeGreaterThanOrEqual(full / 2);
    expect(wait).toBeLessThanOrEqual(full);
  }
  expect(new Set(Array.from({ length: 50 }, () => redeliveryDelay(defaultRedelivery, 12))).size).toBeGreaterThan(10);
});
