import { expect, test } from "vitest";
import type { MetricDefinition } from "./definitions.ts";
import { executionSubjects } from "./execution-events.ts";
import { executionMetrics } from "./execution-metrics.ts";
import { metrics } from "./metrics.ts";
import { verificationMetrics } from "./verification-metrics.ts";
import { verificationSubjects } from "./verification-events.ts";

const ofMetrics = Object.entries<MetricDefinition>(metrics);

test("counters, and only they, end in _total, and histograms in _seconds", () => {
  expect(ofMetrics.filter(([name, { type }]) => name.endsWith("_total") !== (type === "counter"))).toEqual([]);
  expect(ofMetrics.filter(([name, { type }]) => type === "histogram" && !name.endsWith("_seconds"))).toEqual([]);
});

test("no metric of one zone hides one of the other", () => {
  const names = [...Object.keys(verificationMetrics), ...Object.keys(executionMetrics)];
  expect(new Set(names).size).toBe(names.length);
});

test("no event stands under two subjects of a zone", () => {
  for (const subjects of [verificationSubjects, executionSubjects]) {
    const names = Object.values<object>(subjects).flatMap((events) => Object.keys(events));
    expect(new Set(names).size).toBe(names.length);
  }
});
