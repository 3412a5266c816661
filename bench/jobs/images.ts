import { drawLineChart, type Axis, type Series } from "../kit/line-chart.ts";
import type { JobFigures } from "./goals.ts";
import type { DrainPoint } from "./measure-drain.ts";
import { engines, engineTitles, subjects, subjectTitles, type Engine } from "./plan.ts";

const drawnBy = "pnpm bench:jobs";
const waiting: Axis = { label: "waiting jobs", logarithmic: true };
const rate: Axis = { label: "jobs a second" };

/** Draws the curves of the page, by file name. Curves without measurements are left out. */
export function images({ drain, kept, snapshot }: JobFigures): Record<string, string> {
  const byWaiting = (title: string, y: Axis, series: readonly Series[]): string =>
    drawLineChart({ title, x: waiting, y, series, drawnBy });
  return {
    ...(drain.length > 0 && {
      "bench-jobs-drain.svg": byWaiting(
        "Take 100 and end 100, again and again",
        rate,
        seriesOf(drain, (point) => point.jobsPerSecond),
      ),
      "bench-jobs-take.svg": byWaiting(
        "Time of a take, p99",
        { label: "milliseconds", logarithmic: true },
        seriesOf(drain, (point) => point.take.p99),
      ),
      "bench-jobs-memory.svg": byWaiting(
        "Growth of a process's memory",
        { label: "megabytes" },
        seriesOf(drain, (point) => point.rssMb),
      ),
    }),
    ...(kept.length > 0 && {
      "bench-jobs-kept.svg": byWaiting(
        "Take 100 and end 100, with ended jobs",
        rate,
        seriesOf(kept, (point) => point.jobsPerSecond),
      ),
    }),
    ...Object.fromEntries(
      engines
        .filter((engine) => snapshot.some((curve) => curve.engine === engine))
        .map((engine) => [snapshotImage(engine), drawSnapshot(engine, snapshot)]),
    ),
  };
}

/** The file of the curves with an open snapshot. */
export const snapshotImage = (engine: Engine): string => `bench-jobs-snapshot-${engine}.svg`;

function drawSnapshot(engine: Engine, snapshot: JobFigures["snapshot"]): string {
  const series = snapshot
    .filter((curve) => curve.engine === engine)
    .map(({ subject, held, parts }) => ({
      name: `${subjectTitles[subject]}${held ? ", snapshot open" : ""}`,
      points: parts.map(({ drained, jobsPerSecond }) => [drained, jobsPerSecond] as const),
      dashed: held,
      color: subjects.indexOf(subject),
    }));
  const title = `${engineTitles[engine]}: drain with and without an open snapshot`;
  return drawLineChart({ title, x: { label: "jobs drained" }, y: rate, series, drawnBy });
}

function seriesOf(points: readonly DrainPoint[], y: (point: DrainPoint) => number): Series[] {
  return engines.flatMap((engine) =>
    subjects.map((subject) => ({
      name: `${engineTitles[engine]}, ${subjectTitles[subject]}`,
      points: points
        .filter((point) => point.engine === engine && point.subject === subject)
        .map((point) => [point.waiting, y(point)] as const),
      dashed: subject === "by-hand",
      color: engines.indexOf(engine),
    })),
  );
}
