import { goalList, type GoalResult } from "../kit/goals.ts";
import { machineLine, type Machine } from "../kit/machine.ts";
import { page, section, table } from "../kit/markdown.ts";
import { median } from "../kit/statistics.ts";
import type { PathFigures } from "../path/measure.ts";
import { sizeTable } from "../path/report.ts";
import { figures, type Figure, type Found, type Goal } from "./figures.ts";
import { versions, type Comparison, type Finding, type Version } from "./measure.ts";

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

/** A figure of both versions: over all rounds, the median or the worst. Undefined where it was not measured. */
interface Row {
  readonly title: string;
  readonly before: number | undefined;
  readonly now: number | undefined;
  /** How many times the figure before. */
  readonly ratio: number | undefined;
  readonly goal: Goal | undefined;
  readonly met: boolean | undefined;
}

/** One row for each figure that was measured of either version. */
export function rowsOf(findings: readonly Finding[]): Row[] {
  return figures
    .map((figure) => rowOf(figure, findings))
    .filter(({ before, now }) => before !== undefined || now !== undefined);
}

function rowOf({ title, goal, of, worst = false }: Figure, findings: readonly Finding[]): Row {
  const [before, now] = versions.map((version) => {
    const values = roundsOf(findings, version).flatMap((found) => of(found) ?? []);
    if (values.length === 0) return undefined;
    return worst ? Math.max(...values) : median(values);
  });
  return {
    title,
    before,
    now,
    ratio: before === undefined || now === undefined ? undefined : now / before,
    goal,
    met: goal && now !== undefined ? isMet(goal, now) : undefined,
  };
}

const isMet = ({ at, value }: Goal, found: number): boolean => (at === "least" ? found >= value : found <= value);

/** What all benchmarks found of a version, round by round. */
function roundsOf(findings: readonly Finding[], version: Version): Found[] {
  const own = findings.filter((finding) => finding.version === version);
  return [...Map.groupBy(own, ({ round }) => round).values()].map(
    (round) => Object.fromEntries(round.map(({ source, found }) => [source, found])) as Found,
  );
}

/** The goals of the job engine, which the version before does not have. */
function jobGoals(findings: readonly Finding[]): readonly GoalResult[] {
  return findings.flatMap(({ source, found }) =>
    source === "jobs" ? (found as { readonly goals: readonly GoalResult[] }).goals : [],
  );
}
