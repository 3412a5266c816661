/** Writes the lists of metrics and log events into docs/reference/telemetry.md. Part of `pnpm generate`. */
import {
  executionSubjects,
  metrics,
  processEvents,
  verificationSubjects,
  type EventDefinitions,
  type MetricDefinition,
  type Zone,
} from "../../packages/telemetry/src/index.ts";
import { markdownTable, writeGeneratedParts } from "./generated-parts.ts";

const ofMetrics = Object.entries<MetricDefinition>(metrics);

function metricTable(zone: Zone): string {
  const rows = ofMetrics.filter(([, metric]) => metric.zone === zone);
  return markdownTable(
    ["Metric", "Type", "Measures"],
    rows.map(([name, { type, help }]) => [`\`${name}\``, type, help]),
  );
}

function eventTable(events: EventDefinitions): string {
  const rows = Object.entries(events).map(([name, { level, means }]) => [`\`${name}\``, level, means]);
  return markdownTable(["Event", "Level", "Means"], rows);
}

const bySubject = (subjects: Readonly<Record<string, EventDefinitions>>): string =>
  Object.entries(subjects)
    .map(([subject, events]) => `#### ${subject}\n\n${eventTable(events)}`)
    .join("\n\n");

await writeGeneratedParts("reference/telemetry.md", {
  script: "dev/scripts/generate-telemetry.ts",
  parts: {
    "metrics of both zones": metricTable("both"),
    "metrics of verification": metricTable("verification"),
    "metrics of execution": metricTable("execution"),
    "events of both zones": eventTable(processEvents),
    "events of verification": bySubject(verificationSubjects),
    "events of execution": bySubject(executionSubjects),
  },
});
