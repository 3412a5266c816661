import type { GoalResult } from "../kit/goals.ts";
import { median } from "../kit/statistics.ts";
import { figures, type Figure, type Found, type Goal } from "./figures.ts";
import { versions, type Finding, type Version } from "./measure.ts";

/** A figure of both versions: over all rounds, the median or the worst. Undefined where it was not measured. */
export interface Row {
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
export function jobGoals(findings: readonly Finding[]): readonly GoalResult[] {
  return findings.flatMap(({ source, found }) =>
    source === "jobs" ? (found as { readonly goals: readonly GoalResult[] }).goals : [],
  );
}
