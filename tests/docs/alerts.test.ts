import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { metrics, type MetricDefinition } from "@crosszone/telemetry";
import { expect, test } from "vitest";
import { readPromql } from "../harness/read-metrics.ts";

const read = (page: string): string => readFileSync(resolve(import.meta.dirname, "../../docs", page), "utf8");
const listed = new Map<string, MetricDefinition>(Object.entries(metrics));
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

const alerts = [...listed.values()].flatMap(({ alert }) => alert ?? []);

test("each alert is PromQL on listed metrics and their labels", () => {
  const problems = alerts.flatMap(({ name: alert, expr }) => {
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
  for (const { runbook } of alerts) {
    const [page = "", section] = runbook.split("#");
    const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));
    expect(headings).toContain(section);
  }
});
