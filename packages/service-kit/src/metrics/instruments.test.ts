import { metrics } from "@crosszone/telemetry";
import * as fc from "fast-check";
import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createHistogram } from "./instruments.ts";

const buckets = [0.001, 0.5, 1, 30];
const labels = { method: ["a", "b"], outcome: ["c"] };

test("a histogram's output equals the library's line by line", async () => {
  const values = fc.oneof(fc.constantFrom(0, ...buckets), fc.double({ noNaN: true, min: -1, max: 100 }));
  const observation = fc.record({ method: fc.constantFrom("a", "b"), outcome: fc.constant("c"), value: values });
  await fc.assert(
    fc.asyncProperty(fc.array(observation), async (observations) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const options = { name: "policy_duration_seconds", buckets } as const;
      const own = createHistogram(ours, { ...options, labels });
      const library = new Histogram({
        ...options,
        help: metrics[options.name].help,
        labelNames: Object.keys(labels),
        registers: [theirs],
      });
      for (const { value, ...of } of observations) {
        own.observe(of, value);
        library.observe(of, value);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});

test("a non-finite number is refused, and a name can be used once", () => {
  const registry = new Registry();
  const options = { name: "policy_duration_seconds", labels: {} } as const;
  const histogram = createHistogram(registry, options);
  for (const value of [Number.NaN, Infinity]) expect(() => histogram.observe({}, value)).toThrow(TypeError);
  expect(() => createHistogram(registry, options)).toThrow(/policy_duration_seconds/);
});
