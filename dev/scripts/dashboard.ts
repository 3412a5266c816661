import type { MetricDefinition } from "../../packages/telemetry/src/index.ts";

/** A metric with its name. */
export type NamedMetric = readonly [name: string, metric: MetricDefinition];

/** A query of a panel, in PromQL. */
interface Query {
  readonly expr: string;
  readonly legendFormat: string;
}

const width = 8;
const height = 8;
const perRow = 24 / width;
const datasource = { type: "prometheus", uid: "${datasource}" };

const words: Readonly<Record<string, string>> = { api: "API", http: "HTTP", rpc: "RPC", ack: "acknowledgment" };

/** Returns a metric's name as words, without the ending that names its unit. */
function titleOf(name: string): string {
  const said = name.replace(/_(total|seconds)$/, "").split("_");
  const text = said.map((word) => words[word] ?? word).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const by = (labels: readonly string[]): string => (labels.length === 0 ? "" : ` by (${labels.join(", ")}) `);

function queriesOf([name, { type, labels, perProcess }]: NamedMetric): readonly Query[] {
  const own = Object.keys(labels);
  const legendFormat = own.map((label) => `{{${label}}}`).join(" ");
  if (type === "gauge")
    return [{ expr: `${perProcess ? "sum" : "max"}${by(own)}(${name})`, legendFormat: legendFormat || "now" }];
  if (type === "counter")
    return [{ expr: `sum${by(own)}(rate(${name}[$__rate_interval]))`, legendFormat: legendFormat || "per second" }];
  const quantile = (share: number): Query => ({
    expr: `histogram_quantile(${share}, sum${by(["le", ...own])}(rate(${name}_bucket[$__rate_interval])))`,
    legendFormat: `${legendFormat} p${share * 100}`.trim(),
  });
  return own.length === 0 ? [quantile(0.99), quantile(0.5)] : [quantile(0.95)];
}

function unitOf([name, { type }]: NamedMetric): string {
  if (name.includes("_dollars_")) return "currencyUSD";
  if (name.endsWith("_seconds")) return "s";
  return type === "counter" ? "reqps" : "short";
}

const panelOf = (named: NamedMetric, place: { readonly id: number; readonly x: number; readonly y: number }) => ({
  id: place.id,
  type: "timeseries",
  title: titleOf(named[0]),
  description: named[1].help,
  datasource,
  gridPos: { h: height, w: width, x: place.x, y: place.y },
  fieldConfig: { defaults: { unit: unitOf(named), min: 0 }, overrides: [] },
  options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
  targets: queriesOf(named).map((query, index) => ({ refId: String.fromCodePoint(65 + index), ...query })),
});

/** Returns Grafana's panels: a row for each subject, and in it a panel for each metric. */
function panelsOf(metrics: readonly NamedMetric[]): readonly object[] {
  let [id, y] = [0, 0];
  const panels: object[] = [];
  for (const [title, own] of Map.groupBy(metrics, ([, { subject }]) => subject)) {
    panels.push({ id: ++id, type: "row", title, collapsed: false, gridPos: { h: 1, w: 24, x: 0, y: y++ }, panels: [] });
    for (const [index, named] of own.entries()) {
      const row = Math.floor(index / perRow);
      panels.push(panelOf(named, { id: ++id, x: (index % perRow) * width, y: y + row * height }));
    }
    y += Math.ceil(own.length / perRow) * height;
  }
  return panels;
}

/** Returns a Grafana dashboard that shows every metric: https://grafana.com/docs/grafana/latest/reference/dashboard/ */
export const dashboardOf = (metrics: readonly NamedMetric[]): object => ({
  uid: "crosszone",
  title: "Crosszone",
  description: "Every metric of both zones.",
  tags: ["crosszone"],
  schemaVersion: 42,
  version: 1,
  editable: true,
  graphTooltip: 1,
  refresh: "30s",
  timezone: "browser",
  time: { from: "now-1h", to: "now" },
  templating: { list: [{ name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" }] },
  annotations: { list: [] },
  links: [],
  panels: panelsOf(metrics),
});

/** Returns the alerts as a Prometheus rules file: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
export const alertRulesOf = (metrics: readonly NamedMetric[]): object => ({
  groups: [...Map.groupBy(metrics, ([, { subject }]) => subject)].flatMap(([name, own]) => {
    const rules = own.flatMap(([, { alert }]) => {
      if (alert === undefined) return [];
      const { name: of, expr, for: held, severity, summary, runbook } = alert;
      const annotations = { summary, runbook: `docs/${runbook}` };
      return [{ alert: of, expr, for: held, labels: { severity }, annotations }];
    });
    return rules.length === 0 ? [] : [{ name, rules }];
  }),
});
