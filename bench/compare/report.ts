import { goalList } from "../kit/goals.ts";
import { machineLine, type Machine } from "../kit/machine.ts";
import { page, section, table } from "../kit/markdown.ts";
import type { PathFigures } from "../path/measure.ts";
import { sizeTable } from "../path/report.ts";
import type { Comparison } from "./measure.ts";
import { jobGoals, rowsOf, type Row } from "./rows.ts";

export interface CompareFindings extends Comparison {
  readonly machine: Machine;
  readonly rounds: number;
}

/** Writes the findings as Markdown: the page `docs/bench-engine.md`. */
export function renderComparison({ machine, rounds, findings, failures }: CompareFindings): string {
  const goals = jobGoals(findings);
  const path = findings.find(({ source, version }) => source === "path" && version === "now")?.found as
    PathFigures | undefined;
  return page([
    `# The job engine, before and after

Printed by \`pnpm bench:compare --before <folder>\` (\`--write\` writes this page).

Both versions ran the same benchmarks by turns on the same machine. A figure is the median over the rounds. A ratio to a peer is taken within
one run, where the machine was the same for both. Where a goal shows ✗, it was missed. One round trip and one commit a step of a workflow
is what \`packages/workflow/src/runner/round-trips.test.ts\` asserts on PostgreSQL.

${machineLine(machine, "as each benchmark says")}
Rounds: ${rounds}; the way of one question, and the job engine alone, once.`,
    section("Runs that failed", failures.map((failure) => `- ${failure}`).join("\n")),
    `## Figures\n\n${figureTable(rowsOf(findings))}`,
    goals.length === 0
      ? ""
      : section(
          "The job engine alone",
          "By `pnpm bench:jobs`; the version before has no such engine.",
          goalList(goals),
        ),
    path === undefined ? "" : section("Queue, bus and worker code", sizeTable(path.code)),
  ]);
}

const shown = (value: number | undefined): string =>
  value?.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 2) ?? "";

const figureTable = (rows: readonly Row[]): string =>
  table(rows, [
    ["", ({ title }) => title],
    ["before", ({ before }) => shown(before)],
    ["now", ({ now }) => shown(now)],
    ["now / before", ({ ratio }) => (ratio === undefined || !Number.isFinite(ratio) ? "" : ratio.toFixed(2))],
    ["goal", ({ goal }) => (goal === undefined ? "" : `${goal.at === "least" ? "≥" : "≤"} ${goal.value}`)],
    ["met", ({ met }) => (met === undefined ? "" : met ? "✓" : "✗")],
  ]);
