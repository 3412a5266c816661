import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { type MetricName, metrics as described } from "@crosszone/telemetry";
import { Histogram, Registry } from "prom-client";
import { createCounter, createGauge, createHistogram } from "./instruments.ts";
import { createMetrics, type Metrics } from "./registry.ts";

async function linesOf({ render }: Metrics, name: string): Promise<string[]> {
  const { body } = await render();
  return body.split("\n").filter((line) => line.startsWith(name) && !line.includes("_bucket"));
}

test("the number of a label's values is limited", async () => {
  const metrics = createMetrics();
  const labels = { agent_name: (value: string) => value.startsWith("agent-"), kind: ["a"] };
  const counter = createCounter(metrics.registry, "agent_call_retries_total", labels);
  const histogram = createHistogram(metrics.registry, "policy_duration_seconds", labels);
  for (let index = 0; index < 1_000; index += 1) {
    counter.add({ agent_name: `agent-${index}`, kind: "a" });
    histogram.observe({ agent_name: `agent-${index}`, kind: "a" }, 1);
  }
  counter.add({ agent_name: "agent-3", kind: "a" }, 2);
  counter.add({ agent_name: "stranger", kind: "__proto__" });
  const lines = await linesOf(metrics, "agent_call_retries_total");
  expect(lines).toHaveLength(202);
  expect(lines).toContain('agent_call_retries_total{agent_name="agent-3",kind="a"} 3');
  expect(lines).toContain('agent_call_retries_total{agent_name="other",kind="a"} 800');
  expect(lines).toContain('agent_call_retries_total{agent_name="other",kind="other"} 1');
  expect(await linesOf(metrics, "policy_duration_seconds_count")).toHaveLength(201);
});

test("a gauge sums values that have no series of their own, so none hides another", async () => {
  const metrics = createMetrics();
  createGauge(metrics.registry, "agent_calls_running", {
    labels: { agent_name: (value: string) => value === "known" },
    read: () => ["known", "one", "two"].map((agent_name, index) => ({ labels: { agent_name }, value: index + 1 })),
  });
  const shown = ['agent_calls_running{agent_name="known"} 1', 'agent_calls_running{agent_name="other"} 5'];
  expect(await linesOf(metrics, "agent_calls_running")).toEqual(shown);
  expect(await linesOf(metrics, "agent_calls_running")).toEqual(shown);
});

test("a gauge is read at each scrape, drops vanished series, and cannot break the response", async () => {
  const metrics = createMetrics();
  let readings: { labels: { topic: string }; value: number }[] | Error = [{ labels: { topic: "a" }, value: 1 }];
  createGauge(metrics.registry, "bus_queue_oldest_age_seconds", {
    labels: { topic: ["a", "b"] },
    read: () => {
      if (readings instanceof Error) throw readings;
      return readings;
    },
  });
  expect(await linesOf(metrics, "bus_queue_oldest_age")).toEqual(['bus_queue_oldest_age_seconds{topic="a"} 1']);
  readings = [{ labels: { topic: "b" }, value: 2 }];
  expect(await linesOf(metrics, "bus_queue_oldest_age")).toEqual(['bus_queue_oldest_age_seconds{topic="b"} 2']);
  readings = new Error("database is gone");
  expect(await linesOf(metrics, "bus_queue_oldest_age")).toEqual(['bus_queue_oldest_age_seconds{topic="b"} 2']);
  expect(await linesOf(metrics, "process_cpu_user")).toHaveLength(1);
});

test("O15: a scrape waits at most a second for gauges, whatever they ask, and says how old their values are", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const metrics = createMetrics(undefined, { ofProcess: false });
  const gauges = Object.entries(described).flatMap(([name, { type }]) =>
    type === "gauge" && !["gauge_age_seconds", "crosszone_build_info"].includes(name)
      ? [name as MetricName<"gauge">]
      : [],
  );
  const [reads, late] = [vi.fn<() => void>(), Promise.withResolvers<number>()];
  let answer: () => Promise<number> = async () => 7;
  for (const name of gauges)
    createGauge(metrics.registry, name, () => {
      reads();
      return answer();
    });
  expect(await linesOf(metrics, "gauge_age_seconds")).toEqual(
    gauges.map((name) => `gauge_age_seconds{gauge="${name}"} 0`),
  );
  answer = () => late.promise;
  for (const age of [5, 10]) {
    await vi.advanceTimersByTimeAsync(4_000);
    const rendered = metrics.render();
    await vi.advanceTimersByTimeAsync(1_000);
    const lines = (await rendered).body.split("\n");
    for (const name of gauges)
      expect(lines).toEqual(expect.arrayContaining([`${name} 7`, `gauge_age_seconds{gauge="${name}"} ${age - 1}`]));
  }
  // A silent service is not asked again at each scrape.
  expect(reads).toHaveBeenCalledTimes(2 * gauges.length);
  late.resolve(8);
  await vi.advanceTimersByTimeAsync(0);
  expect(await linesOf(metrics, "fires_waiting")).toEqual(["fires_waiting 8"]);
});

const labels = { method: ["a", "b"], outcome: ["c"] };

test("a histogram's output equals the library's line by line", async () => {
  const name = "protocol_translation_duration_seconds";
  const { help, buckets = [] } = described[name];
  const values = fc.oneof(fc.constantFrom(0, ...buckets), fc.double({ noNaN: true, min: -1, max: 100 }));
  const observation = fc.record({ method: fc.constantFrom("a", "b"), outcome: fc.constant("c"), value: values });
  await fc.assert(
    fc.asyncProperty(fc.array(observation), async (observations) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const own = createHistogram(ours, name, labels);
      const labelNames = Object.keys(labels);
      const library = new Histogram({ name, help, buckets: [...buckets], labelNames, registers: [theirs] });
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
  const histogram = createHistogram(registry, "policy_duration_seconds");
  for (const value of [Number.NaN, Infinity]) expect(() => histogram.observe({}, value)).toThrow(TypeError);
  expect(() => createHistogram(registry, "policy_duration_seconds")).toThrow(/policy_duration_seconds/);
});
