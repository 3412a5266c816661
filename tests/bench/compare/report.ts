import { goalLine } from "../goal-line.ts";
import { machineLine, type Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import type { PathFigures } from "../path/measure.ts";
import { sizeTable } from "../path/report.ts";
import type { Comparison } from "./measure.ts";
import { jobGoals, rowsOf, type Row } from "./rows.ts";

/** Everything a comparison has to say. */
export interface CompareFindings extends Comparison {
  readonly machine: Machine;
  readonly rounds: number;
}

/** Writes the findings as Markdown: the page `docs/bench-engine.md`. */
export function renderComparison({ machine, rounds, findings, failures }: CompareFindings): string {
  const goals = jobGoals(findings);
  const path = findings.find(({ source, version }) => source === "path" && version === "now")?.found as
    PathFigures | undefined;
  const parts = [
    `# The job engine, before and after

Printed by \`pnpm bench:compare --before <folder>\` (\`--write\` writes this page).

Both versions ran the same benchmarks by turns on the same machine. A figure is the median over the rounds. A ratio to a peer is taken within
one run, where the machine was the same for both. Where a goal shows ✗, it was missed. One round trip and one commit a step of a workflow
is what \`packages/workflow/src/runner/round-trips.test.ts\` asserts on PostgreSQL.

${machineLine(machine, "as each benchmark says")}
Rounds: ${rounds}; the way of one question, and the job engine alone, once.`,
    failures.length === 0 ? "" : `## Runs that failed\n\n${failures.map((failure) => `- ${failure}`).join("\n")}`,
    `## Figures\n\n${table(rowsOf(findings))}`,
    goals.length === 0
      ? ""
      : `## The job engine alone\n\nBy \`pnpm bench:jobs\`; the version before has no such engine.\n\n${goals.map((goal) => `- ${goalLine(goal)}`).join("\n")}`,
    path === undefined ? "" : `## Queue, bus and worker code\n\n${sizeTable(path.code)}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function table(rows: readonly Row[]): string {
  const number = (value: number | undefined): string =>
    value === undefined ? "" : value.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 2);
  return markdownTable(
    ["", "before", "now", "now / before", "goal", "met"],
    rows.map(({ title, before, now, ratio, goal, met }) => [
      title,
      number(before),
      number(now),
      ratio === undefined || !Number.isFinite(ratio) ? "" : ratio.toFixed(2),
      goal === undefined ? "" : `${goal.at === "least" ? "≥" : "≤"} ${goal.value}`,
      met === undefined ? "" : met ? "✓" : "✗",
    ]),
  );
}
