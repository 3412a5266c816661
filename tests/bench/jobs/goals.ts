import type { GoalResult } from "../goals.ts";
import { median } from "../statistics.ts";
import type { JobFigures } from "./measure.ts";
import type { DrainPoint } from "./measure-drain.ts";
import { engineTitles } from "./plan.ts";

/** Judges the engine by the project's goals. They are reported, never enforced: machines differ. */
export function judgeJobs({ drain, snapshot, lanes, wake }: JobFigures): GoalResult[] {
  return [
    ...drain.filter(isOfEngine).flatMap((point) => drainGoals(point, drain)),
    ...snapshot
      .filter((curve) => isOfEngine(curve) && curve.held)
      .map(({ engine, parts }) => {
        const quarter = Math.ceil(parts.length / 4);
        const p50 = (of: typeof parts): number => median(of.map(({ takeP50Ms }) => takeP50Ms));
        const growth = p50(parts.slice(-quarter)) / p50(parts.slice(0, quarter));
        return atMost(
          `${engineTitles[engine]}: take with an open snapshot, last quarter ≤ 1.50 of the first`,
          growth,
          1.5,
        );
      }),
    ...lanes
      .filter(isOfEngine)
      .map(({ engine, take }) => atMost(`${engineTitles[engine]}: take p50 behind a long lane ≤ 5 ms`, take.p50, 5)),
    ...wake
      .filter((row) => isOfEngine(row) && row.engine === "postgres")
      .map(({ engine, rate, p50 }) => atMost(`${engineTitles[engine]}: wake p50 at ${rate}/s ≤ 5 ms`, p50, 5)),
  ];
}

const isOfEngine = ({ subject }: { readonly subject: string }): boolean => subject === "engine";
const atMost = (goal: string, value: number, limit: number): GoalResult => ({ goal, value, met: value <= limit });

function drainGoals(point: DrainPoint, all: readonly DrainPoint[]): GoalResult[] {
  const smallest = all.find(({ engine, subject }) => engine === point.engine && subject === point.subject);
  if (smallest === undefined || smallest === point) return [];
  const ratio = point.jobsPerSecond / smallest.jobsPerSecond;
  const [title, waiting, least] = [engineTitles[point.engine], count(point.waiting), count(smallest.waiting)];
  return [
    { goal: `${title}: drain with ${waiting} waiting ≥ 0.80 of that with ${least}`, value: ratio, met: ratio >= 0.8 },
    atMost(`${title}: memory with ${waiting} waiting ≤ +64 MB`, point.rssMb, 64),
  ];
}

/** `1,000,000`. */
export const count = (value: number): string => value.toLocaleString("en-US");
