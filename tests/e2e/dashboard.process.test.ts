// suite: rest
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { metrics as listed } from "@crosszone/telemetry";
import { tune } from "@crosszone/testkit/tune";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openWithoutHttp } from "@crosszone/execution/testing";
import { type ExposedMetric, readExposition, readPromql, showKafkaMetrics } from "../harness/read-metrics.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { type Crosszone, startCrosszone, startWithAgents } from "../harness/start-crosszone.ts";

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

const page = resolve(import.meta.dirname, "../../docs/dashboards/crosszone.json");
const examples = resolve(import.meta.dirname, "../../examples/workflows");
const { panels, schemaVersion } = JSON.parse(readFileSync(page, "utf8")) as {
  readonly panels: readonly Panel[];
  readonly schemaVersion: number;
};
const queries = panels.flatMap(({ title, targets = [] }) =>
  // Grafana inserts a range here. https://grafana.com/docs/grafana/latest/datasources/prometheus/template-variables/
  targets.map((target) => ({ title, ...target, expr: target.expr.replaceAll("$__rate_interval", "5m") })),
);

/** Labels that Prometheus adds. */
const addedByPrometheus = new Set(["instance", "job"]);

/** A time series by the name in queries. */
interface Shown {
  readonly type: string;
  readonly samples: ExposedMetric["samples"];
}

/** Returns a listed metric that the traffic did not change, with the labels of its row. */
function withoutTraffic(name: string): Shown | undefined {
  const base = name.replace(/_bucket$/, "");
  if (!Object.hasOwn(listed, base)) return undefined;
  const { type, labels } = listed[base as keyof typeof listed];
  const all = ["le", ...Object.keys(labels)];
  const samples = [{ name, labels: Object.fromEntries(all.map((label) => [label, ""])), value: 0 }];
  return { type, samples };
}

/** Returns the metrics of both zones after successes and the failures that panels show. */
async function exposeAfterTraffic(): Promise<ReadonlyMap<string, Shown>> {
  const folder = tempFolder();
  const databaseUrl = `sqlite:${join(folder, "execution.sqlite")}`;
  const model = await LLMock.create({ port: 0 });
  onTestFinished(() => model.stop());
  model.on({}, { content: "Hello.", usage: { input_tokens: 1_000, output_tokens: 18_500 } });
  const zones = await startWithAgents({
    env: {
      DATA_DIR: folder,
      WORKFLOWS_DIR: examples,
      ANTHROPIC_API_KEY: "key-of-the-mock",
      ANTHROPIC_BASE_URL: `${model.url}/v1`,
      BUDGETS: "person/day=20000tokens",
    },
  });
  const { workflows } = await openWithoutHttp(databaseUrl, { EXECUTION_ROLES: "rpc" });
  await workflows.startRun({ workflow_id: "publish-text", input: { text: "it is is" } });
  const succeeded = { state: "succeeded", limit: 2 } as const;
  await vi.waitFor(async () => expect(await workflows.listRuns(succeeded)).toMatchObject({ runs: [{}] }));
  const proofreader = zones.agents.control("proofreader");
  for (const fault of ["ok", "malformed", "flaky", "server_error", "server_error"] as const) {
    proofreader.reset();
    proofreader.fault = fault;
    await zones.ask("proofreader", `it is is ${fault}`);
  }
  await zones.ask("fingerprint", "abc");
  await zones.answerTo(zones.write({ text: "ask builtin: 2+2" }));
  // The first one uses up the budget.
  for (const text of ["Hello?", "And now?"]) await zones.answerTo(zones.write({ text }));
  await fetch(`${zones.url}/rpc`, { method: "POST" });
  const keywords = zones.agents.control("keywords");
  keywords.reset();
  keywords.fault = "hang";
  zones.write({ text: "ask keywords: of this" });
  await vi.waitFor(() => expect(keywords.asked).toHaveLength(1));
  const texts = await Promise.all(
    [zones.url, zones.verificationUrl].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  const byName = new Map<string, Shown>();
  const ofKafka = await showKafkaMetrics();
  for (const { type, samples } of [...texts.flatMap(readExposition), ...ofKafka])
    for (const [name, some] of Map.groupBy(samples, (sample) => sample.name))
      byName.set(name, { type, samples: [...(byName.get(name)?.samples ?? []), ...some] });
  return byName;
}

test("M1: every query of the dashboard is PromQL, and selects metrics, labels and values that both zones have after real traffic", async () => {
  const shown = await exposeAfterTraffic();
  const problems = queries.flatMap(({ title, expr, legendFormat }) =>
    readPromql(expr).flatMap(({ name, isRange, labels, equal }) => {
      const metric = shown.get(name) ?? withoutTraffic(name);
      if (metric === undefined) return [`${title}: there is no ${name}`];
      const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
      const asked = [...labels, ...legend].filter((label) => !addedByPrometheus.has(label));
      return [
        ...asked
          .filter((label) => !metric.samples.some((sample) => Object.hasOwn(sample.labels, label)))
          .map((label) => `${title}: ${name} has no label ${label}`),
        ...legend.filter((label) => !labels.includes(label)).map((label) => `${title}: ${label} is not kept`),
        ...Object.entries(equal)
          .filter(([label, value]) => !metric.samples.some((sample) => sample.labels[label] === value))
          .map(([label, value]) => `${title}: no ${name} has ${label}="${value}"`),
        ...(isRange === (metric.type === "gauge") ? [`${title}: ${name} is a ${metric.type}`] : []),
        ...(metric.type === "histogram" && !labels.includes("le") ? [`${title}: le is lost of ${name}`] : []),
      ];
    }),
  );
  expect(problems).toEqual([]);
});

test("M1: the dashboard shows protocols, queues, circuits, runs and every metric of language models, and each panel has its own id and position", () => {
  const asked = new Set(queries.flatMap(({ expr }) => readPromql(expr).map(({ name }) => name)));
  for (const name of [
    "agent_protocol_requests_total",
    "protocol_translation_duration_seconds_bucket",
    "protocol_translation_errors_total",
    "bus_queue_messages",
    "bus_queue_oldest_age_seconds",
    "agent_circuit_state",
    "workflow_run_requests_total",
    "workflow_runs_open",
    ...Object.keys(listed).filter((known) => known.startsWith("model_")),
  ])
    expect(asked).toContain(name);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  expect(schemaVersion).toBeGreaterThanOrEqual(41);
});

test.each(["sum(rate(x[5m])", "rate x", "{", ""])("invalid PromQL is refused: %j", (text) => {
  expect(() => readPromql(text)).toThrow("no PromQL at");
});

const zoneNames = ["execution", "verification"] as const;
type Zone = (typeof zoneNames)[number];

/** Returns the metrics of both zones after some successes and many failures, with invented names. */
async function expose(): Promise<Record<Zone, ExposedMetric[]>> {
  const agent = agentThat("only", async ({ text }) =>
    text === "fail" ? Promise.reject(new Error("no")) : { response_text: "ok" },
  );
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
    for (const name of ["event_loop_turn_seconds", "process_resident_memory_bytes", "process_open_fds"])
      expect(names).toContain(name);
    const [build] = metrics.filter(({ name }) => name === "crosszone_build_info");
    expect(build?.samples).toMatchObject([{ labels: { zone }, value: 1 }]);
  });

  test("the zone serves each metric that is listed for it, and no other", async () => {
    const own = (await exposed(zone)).map(({ name }) => name).filter((name) => !/^(nodejs|process)_/.test(name));
    const ofKafka = zone === "execution" ? (await showKafkaMetrics()).map(({ name }) => name) : [];
    const names = Object.keys(listed) as (keyof typeof listed)[];
    const expected = names.filter((name) => listed[name].zone === zone || listed[name].zone === "both");
    expect([...new Set([...own, ...ofKafka])].toSorted()).toEqual(expected.toSorted());
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
  ["verification", "slack_requests_refused_total", { reason: "headers" }],
])("rate, errors and duration are measured: %s %s %j", async (zone, sample, labels) => {
  const samples = (await exposed(zone)).flatMap((metric) => metric.samples);
  const [counted] = samples.filter(
    (one) => one.name === sample && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );
  expect(counted?.value).toBeGreaterThan(0);
});
