import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { metrics, type MetricDefinition } from "@crosszone/telemetry";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readPromql } from "../harness/read-metrics.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const docs = resolve(import.meta.dirname, "../../docs");
const read = (path: string): string => readFileSync(resolve(docs, path), "utf8");
const { groups } = parse(read("dashboards/alerts.yaml")) as { readonly groups: readonly { readonly rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const listed = new Map<string, MetricDefinition>(Object.entries(metrics));
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

test("each alert has a name of its own, a duration, a severity and a summary", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const rule of rules)
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^([A-Z][a-z]+)+$/),
      for: expect.stringMatching(/^\d+m$/),
      labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
      annotations: { summary: expect.stringMatching(/^[A-Z{].{20,}[^.]$/) },
    });
});

test("each alert is PromQL on listed metrics and their labels", () => {
  const problems = rules.flatMap(({ alert, expr }) => {
    const selected = readPromql(expr);
    if (selected.length === 0) return [`${alert} selects nothing`];
    return selected.flatMap(({ name, labels }) => {
      const metric = listed.get(name.replace(/_bucket$/, ""));
      const known = ["le", "instance", ...Object.keys(metric?.labels ?? {})];
      return metric === undefined || labels.some((label) => !known.includes(label)) ? [`${alert}: ${name}`] : [];
    });
  });
  expect(problems).toEqual([]);
});

test("each alert leads to a section of a page", () => {
  for (const { annotations } of rules) {
    const [page = "", section] = annotations.runbook.replace("docs/", "").split("#");
    const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));
    expect(headings).toContain(section);
  }
});
