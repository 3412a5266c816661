import { atLeast, atMost, type GoalResult } from "../kit/goals.ts";
import { grouped } from "../kit/markdown.ts";
import { median } from "../kit/statistics.ts";
import type { DrainPoint, SubjectOnEngine } from "./measure-drain.ts";
import type { LanesRow } from "./measure-lanes.ts";
import type { SnapshotCurve } from "./measure-snapshot.ts";
import type { WakeRow } from "./measure-wake.ts";
import { engineTitles } from "./plan.ts";

/** All that was measured. What was not selected is empty. */
export interface JobFigures {
  readonly drain: readonly DrainPoint[];
  readonly kept: readonly DrainPoint[];
  readonly snapshot: readonly SnapshotCurve[];
  readonly lanes: readonly LanesRow[];
  readonly wake: readonly WakeRow[];
}

/** Judges the engine by the project's goals. They are reported, never enforced: machines differ. */
export function judgeJobs({ drain, snapshot, lanes, wake }: JobFigures): GoalResult[] {
  const own = <Of extends SubjectOnEngine>(rows: readonly Of[]): Of[] =>
    rows.filter(({ subject }) => subject === "engine");
  return [
    ...own(drain).flatMap((point) => drainGoals(point, drain)),
    ...own(snapshot)
      .filter(({ held }) => held)
      .flatMap(({ engine, parts }) => {
        const quarter = Math.ceil(parts.length / 4);
        const p50 = (of: typeof parts): number => median(of.map(({ takeP50Ms }) => takeP50Ms));
        const growth = p50(parts.slice(-quarter)) / p50(parts.slice(0, quarter));
        return atMost(
          `${engineTitles[engine]}: take with an open snapshot, last quarter ≤ 1.50 of the first`,
          growth,
          1.5,
        );
      }),
    ...own(lanes).flatMap(({ engine, take }) =>
      atMost(`${engineTitles[engine]}: take p50 behind a long lane ≤ 5 ms`, take.p50, 5),
    ),
    ...own(wake)
      .filter(({ engine }) => engine === "postgres")
      .flatMap(({ engine, rate, p50 }) => atMost(`${engineTitles[engine]}: wake p50 at ${rate}/s ≤ 5 ms`, p50, 5)),
  ];
}

function drainGoals(point: DrainPoint, all: readonly DrainPoint[]): GoalResult[] {
  const smallest = all.find(({ engine, subject }) => engine === point.engine && subject === point.subject);
  if (smallest === undefined || smallest === point) return [];
  const ratio = point.jobsPerSecond / smallest.jobsPerSecond;
  const [title, waiting, least] = [engineTitles[point.engine], grouped(point.waiting), grouped(smallest.waiting)];
  return [
    ...atLeast(`${title}: drain with ${waiting} waiting ≥ 0.80 of that with ${least}`, ratio, 0.8),
    ...atMost(`${title}: memory with ${waiting} waiting ≤ +64 MB`, point.rssMb, 64),
  ];
}
