import type { Agent } from "@crosszone/execution";
import { metrics as listed } from "@crosszone/telemetry";
import { describe, expect, test } from "vitest";
import { readExposition, showKafkaMetrics, type ExposedMetric } from "../harness/read-metrics.ts";
import { startCrosszone, type Crosszone } from "../harness/start-crosszone.ts";
import { tune } from "@crosszone/testkit/tune";

const zoneNames = ["execution", "verification"] as const;
type Zone = (typeof zoneNames)[number];

/** Returns the metrics of both zones after some successes and many failures, with invented names. */
async function expose(): Promise<Record<Zone, ExposedMetric[]>> {
  const agent: Agent = {
    name: "only",
    description: "",
    skills: [],
    run: async ({ text }) => (text === "fail" ? Promise.reject(new Error("no")) : { response_text: "ok" }),
  };
  const zones = await startCrosszone({ agents: [agent], env: tune({ EXECUTION_RETRY_BUDGET_MS: 0 }) });
  for (const text of ["hello", "fail", "agents", "ask nobody: hi"]) await zones.answerTo(zones.write({ text }));
  await misuse(zones);
  const metricsOf = async (zone: Zone): Promise<ExposedMetric[]> =>
    readExposition(await (await fetch(`${zones[zone].url}/metrics`)).text());
  return { execution: await metricsOf("execution"), verification: await metricsOf("verification") };
}

let exposure: ReturnType<typeof expose> | undefined;

/** Measured once, by the first test. */
const exposed = async (zone: Zone): Promise<ExposedMetric[]> => (await (exposure ??= expose()))[zone];

async function misuse({ execution, verification, linkToken }: Crosszone): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${linkToken}` };
  for (let index = 0; index < 50; index += 1) {
    const message = { jsonrpc: "2.0", method: `made_up_${index}`, params: { agent: `made_up_${index}` }, id: index };
    await fetch(`${execution.url}/rpc`, { method: "POST", headers, body: JSON.stringify(message) });
    await fetch(`${execution.url}/rpc`, { method: `MADEUP${index}` }).catch(() => undefined);
  }
  await fetch(`${execution.url}/rpc`, { method: "POST" });
  await fetch(`${verification.url}/slack/events`, { method: "POST", body: "{}" });
}

describe.each(zoneNames)("the metrics of %s", (zone) => {
  test("every metric has a help text and a type, once", async () => {
    const metrics = await exposed(zone);
    const names = metrics.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, help, type } of metrics)
      expect([name, help, type]).toEqual([
        name,
        expect.stringMatching(/^[A-Z].{5,}/),
        expect.stringMatching(/^(counter|gauge|histogram|summary)$/),
      ]);
  });

  test("names have a unit, and only counters end in _total", async () => {
    for (const { name, type } of await exposed(zone)) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|percent|count|sum|bucket)(_|$)/);
      const measures = type === "histogram" || type === "summary";
      expect([name, measures && !/_(seconds|bytes)$/.test(name)]).toEqual([name, false]);
    }
  });

  test("every label has a fixed set of values", async () => {
    for (const { name, samples } of await exposed(zone)) {
      const values = Map.groupBy(
        samples.flatMap(({ labels }) => Object.entries(labels).filter(([label]) => label !== "le")),
        ([label]) => label,
      );
      for (const [label, pairs] of values)
        expect([name, label, new Set(pairs.map(([, value]) => value)).size < 40]).toEqual([name, label, true]);
      expect(JSON.stringify(samples)).not.toMatch(/made_up|MADEUP|U0[A-Z]|D0[A-Z]|xoxb|czh_/);
      expect([name, samples.length < 250]).toEqual([name, true]);
    }
  });

  test("process metrics and build information are exposed", async () => {
    const metrics = await exposed(zone);
    const names = metrics.map(({ name }) => name);
    for (const name of ["nodejs_eventloop_lag_seconds", "process_resident_memory_bytes", "process_open_fds"])
      expect(names).toContain(name);
    const [build] = metrics.filter(({ name }) => name === "crosszone_build_info");
    expect(build?.samples).toMatchObject([{ labels: { zone }, value: 1 }]);
  });

  test("the zone serves each metric that is listed for it, and no other", async () => {
    const own = (await exposed(zone)).map(({ name }) => name).filter((name) => !/^(nodejs|process)_/.test(name));
    const ofKafka = zone === "execution" ? (await showKafkaMetrics()).map(({ name }) => name) : [];
    const names = Object.keys(listed) as (keyof typeof listed)[];
    const expected = names.filter((name) => listed[name].zone === zone || listed[name].zone === "both");
    expect([...own, ...ofKafka].toSorted()).toEqual(expected.toSorted());
  });
});

test.each<[zone: Zone, sample: string, labels: Record<string, string>]>([
  ["execution", "rpc_requests_total", { method: "execute_task", outcome: "success" }],
  ["execution", "rpc_requests_total", { method: "execute_task", outcome: "unknown_agent" }],
  ["execution", "rpc_requests_total", { method: "other", outcome: "method_not_found" }],
  ["execution", "rpc_duration_seconds_count", { method: "list_agents" }],
  ["execution", "task_requests_total", { agent: "only", outcome: "internal" }],
  ["execution", "task_duration_seconds_count", { agent: "only" }],
  ["execution", "http_requests_refused_total", { reason: "credentials_missing" }],
  ["execution", "http_requests_refused_total", { reason: "http_400" }],
  ["verification", "zone_rpc_requests_total", { method: "execute_task", outcome: "internal" }],
  ["verification", "zone_rpc_duration_seconds_count", { method: "execute_task" }],
  ["verification", "slack_api_requests_total", { method: "chat.startStream", outcome: "success" }],
  ["verification", "slack_api_duration_seconds_count", { method: "chat.stopStream" }],
  ["verification", "answer_requests_total", { outcome: "unknown_agent" }],
  ["verification", "slack_events_total", { verdict: "accepted" }],
  ["verification", "slack_requests_refused_total", { reason: "content_type" }],
])("rate, errors and duration are measured: %s %s %j", async (zone, sample, labels) => {
  const samples = (await exposed(zone)).flatMap((metric) => metric.samples);
  const [counted] = samples.filter(
    (one) => one.name === sample && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );
  expect(counted?.value).toBeGreaterThan(0);
});
