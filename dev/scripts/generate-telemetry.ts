/** Writes docs/reference/telemetry.md and the pages of log events, the Grafana dashboard and the Prometheus alerts, from the table of metrics and events. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { format } from "prettier";
import { stringify } from "yaml";
import {
  executionSubjects,
  metrics,
  processEvents,
  subjectFields,
  verificationSubjects,
  type EventDefinition,
  type EventDefinitions,
  type MetricDefinition,
  type Zone,
} from "../../packages/telemetry/src/index.ts";
import { alertRulesOf, dashboardOf } from "./dashboard.ts";
import { markdownTable, writeGeneratedParts } from "./generated-parts.ts";

const ofMetrics = Object.entries<MetricDefinition>(metrics);

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

function metricTable(zone: Zone): string {
  const rows = ofMetrics.filter(([, metric]) => metric.zone === zone);
  return markdownTable(
    ["Metric", "Type", "Labels", "Measures"],
    rows.map(([name, { type, labels, help }]) => [`\`${name}\``, type, codes(Object.keys(labels)), help]),
  );
}

const measuredBy = ({ counts, adds, times, requests }: EventDefinition["metrics"]): string[] => [
  ...Object.keys({ ...counts, ...adds, ...times }),
  ...Object.keys(requests ?? {}).flatMap((name) => [`${name}_requests_total`, `${name}_duration_seconds`]),
];

function eventTable(events: EventDefinitions): string {
  const rows = Object.entries(events).map(([name, { level, means, fields, metrics: changed }]) => [
    `\`${name}\``,
    level,
    means,
    codes(Object.keys(fields)),
    codes(measuredBy(changed)),
  ]);
  return markdownTable(["Event", "Level", "Means", "Fields", "Metrics"], rows);
}

const bySubject = (subjects: Readonly<Record<string, EventDefinitions>>, level: string): string =>
  Object.entries(subjects)
    .map(([subject, events]) => `${level} ${subject}\n\n${eventTable(events)}`)
    .join("\n\n");

const alertTable = (): string =>
  markdownTable(
    ["Alert", "Severity", "Means", "What to do"],
    ofMetrics.flatMap(([, { alert }]) => {
      if (alert === undefined) return [];
      const summary = alert.summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, "`$1`");
      return [[`\`${alert.name}\``, alert.severity, summary, `[Operations](../${alert.runbook})`]];
    }),
  );

async function writeDashboard(name: string, text: string, parser: "json" | "yaml"): Promise<void> {
  const path = resolve(import.meta.dirname, "../../docs/dashboards", name);
  writeFileSync(path, await format(text, { parser, printWidth: 120 }));
}

await writeDashboard("crosszone.json", JSON.stringify(dashboardOf(ofMetrics)), "json");
const notice = "# Written by dev/scripts/generate-telemetry.ts, do not edit.\n";
await writeDashboard("alerts.yaml", notice + stringify(alertRulesOf(ofMetrics)), "yaml");

const script = "dev/scripts/generate-telemetry.ts";
await writeGeneratedParts("reference/telemetry.md", {
  script,
  parts: {
    "metrics of both zones": metricTable("both"),
    "metrics of verification": metricTable("verification"),
    "metrics of execution": metricTable("execution"),
    alerts: alertTable(),
  },
});
await writeGeneratedParts("reference/log-events.md", {
  script,
  parts: {
    "subject fields": codes(Object.keys(subjectFields).map((name) => name.replace("?", ""))),
    "events of both zones": eventTable(processEvents),
    "events of verification": bySubject(verificationSubjects, "###"),
  },
});
await writeGeneratedParts("reference/log-events-execution.md", {
  script,
  parts: { "events of execution": bySubject(executionSubjects, "##") },
});
