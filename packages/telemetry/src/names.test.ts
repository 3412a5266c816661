import { expect, test } from "vitest";
import type { MetricDefinition } from "./definitions.ts";
import type { EventDefinition } from "./event-rows.ts";
import { executionEvents, verificationEvents } from "./events.ts";
import { executionSubjects } from "./execution-events.ts";
import { executionMetrics } from "./execution-metrics.ts";
import { metrics } from "./metrics.ts";
import { verificationMetrics } from "./verification-metrics.ts";
import { verificationSubjects } from "./verification-events.ts";

const ofMetrics = Object.entries<MetricDefinition>(metrics);
const ofEvents = Object.entries<EventDefinition>({ ...verificationEvents, ...executionEvents });
const all = [...ofMetrics, ...ofEvents];

test("names are in snake case, and counters, and only they, end in _total", () => {
  expect(all.filter(([name]) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
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

test("each meaning is a phrase of one line without a full stop", () => {
  const meanings = [...ofMetrics.map(([, { help }]) => help), ...ofEvents.map(([, { means }]) => means)];
  expect(meanings.filter((meaning) => !/^[A-Z`][^\n]{10,}[^.]$/.test(meaning))).toEqual([]);
});
