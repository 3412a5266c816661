import { goalLine } from "../goal-line.ts";
import type { GoalResult } from "../goals.ts";
import { machineLine, type Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import { count } from "./goals.ts";
import { images, snapshotImage } from "./images.ts";
import type { JobFigures } from "./measure.ts";
import type { DrainPoint } from "./measure-drain.ts";
import {
  batch,
  engines,
  engineTitles,
  openShares,
  shareCount,
  subjects,
  subjectTitles,
  type Engine,
  type Plan,
  type SubjectName,
} from "./plan.ts";

/** Everything a run has to say. */
export interface JobFindings {
  readonly machine: Machine;
  readonly plan: Plan;
  readonly figures: JobFigures;
  readonly goals: readonly GoalResult[];
}

/** Writes the findings as Markdown: the page `docs/bench-jobs.md`. */
export function renderJobsReport({ machine, plan, figures, goals }: JobFindings): string {
  const drawn = new Set(Object.keys(images(figures)));
  const image = (file: string, text: string): string => (drawn.has(file) ? `![${text}](images/${file})` : "");
  const { drain, kept, snapshot, lanes, wake } = figures;
  const section = (title: string, has: readonly unknown[], ...parts: readonly string[]): string =>
    has.length === 0 ? "" : [`## ${title}`, ...parts].filter(Boolean).join("\n\n");
  const pages = [
    header(machine, plan),
    section("Goals", goals, goals.map((goal) => `- ${goalLine(goal)}`).join("\n")),
    section(
      "Drain",
      drain,
      `One process takes ${batch} jobs and ends ${batch}, again and again. The jobs wait in ${shareCount} shares, and ${shareCount - openShares.length} of these have no room: their jobs stay.`,
      image("bench-jobs-drain.svg", "Jobs a second by the number of waiting jobs"),
      image("bench-jobs-take.svg", "Time of a take by the number of waiting jobs"),
      image("bench-jobs-memory.svg", "Growth of memory by the number of waiting jobs"),
      drainTable(drain),
    ),
    section(
      "Beside ended jobs",
      kept,
      `The same in a table that keeps ${count(kept[0]?.kept ?? 0)} ended jobs.`,
      image("bench-jobs-kept.svg", "Jobs a second beside ended jobs"),
      drainTable(kept),
    ),
    section(
      "Open snapshot",
      snapshot,
      `Another connection reads the table in a transaction that stays open, as a dump or a report does. ${count(plan.snapshot.drained)} of ${count(plan.snapshot.waiting)} waiting jobs are drained.`,
      ...engines.map((engine) =>
        image(snapshotImage(engine), `Jobs a second on ${engineTitles[engine]} while a snapshot is open`),
      ),
      snapshotTable(figures),
    ),
    section(
      "Lanes",
      lanes,
      `One lane of ${count(plan.lanes.inFront)} jobs is in front of ${count(plan.lanes.others)} other lanes of one job each. A job of a lane waits for the one before it, and its end makes the next one ready. The engine deletes a job of a lane when it ends; by hand, it is kept.`,
      lanesTable(figures),
    ),
    section(
      "Wake",
      wake,
      "From the start of an insert in one process until another process has the job.",
      wakeTable(figures),
    ),
  ];
  return `${pages.filter(Boolean).join("\n\n")}\n`;
}

function header(machine: Machine, { rounds, drainMs }: Plan): string {
  return `# The job engine as its table grows

Printed by \`pnpm bench:jobs\` (\`--quick\` takes a minute, \`--write\` writes this page and its curves).

How to read it: absolute figures change from run to run, ratios less. Where a goal shows ✗, it was missed.

- "Engine" is \`@crosszone/jobs\` as the zones use it: fair between shares, fenced by its lease, with retries and shared commits.
- "By hand" is the same work by bare statements, in turns on the same table, without retries and shared commits. It knows its shares; the
  engine looks for them before each take.
- PostgreSQL has never analyzed the table, and autovacuum is off for it: a burst of jobs comes faster than statistics do.
- Every commit of new and of ended jobs is flushed to the disk.

${machineLine(machine, "processes on both")}
Rounds: ${rounds}, in the reverse order every other time; each drains for ${(drainMs / 1_000).toFixed(1)} s; the median over the rounds.`;
}

const of = ({ engine, subject }: { readonly engine: Engine; readonly subject: SubjectName }): string =>
  subject === "engine" ? `**${engineTitles[engine]}, engine**` : `${engineTitles[engine]}, ${subjectTitles[subject]}`;

const byEngineAndSubject = (a: DrainPoint, b: DrainPoint): number =>
  engines.indexOf(a.engine) - engines.indexOf(b.engine) ||
  subjects.indexOf(a.subject) - subjects.indexOf(b.subject) ||
  a.waiting - b.waiting;

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

function drainTable(points: readonly DrainPoint[]): string {
  const rows = points
    .toSorted(byEngineAndSubject)
    .map((point) => [
      of(point),
      count(point.waiting),
      point.jobsPerSecond.toFixed(0),
      ms(point.take.p50),
      ms(point.take.p99),
      ms(point.end.p50),
      ms(point.end.p99),
      `+${point.rssMb.toFixed(0)}`,
    ]);
  return markdownTable(
    ["", "waiting", "jobs/s", "take p50 ms", "take p99 ms", "end p50 ms", "end p99 ms", "memory MB"],
    rows,
  );
}

function snapshotTable({ snapshot }: JobFigures): string {
  const rows = snapshot.map((curve) => {
    const [first, last] = [curve.parts[0], curve.parts.at(-1)];
    return [
      of(curve),
      curve.held ? "open" : "none",
      (first?.jobsPerSecond ?? 0).toFixed(0),
      (last?.jobsPerSecond ?? 0).toFixed(0),
      ms(first?.takeP50Ms ?? 0),
      ms(last?.takeP50Ms ?? 0),
    ];
  });
  return markdownTable(["", "snapshot", "jobs/s first", "jobs/s last", "take ms first", "take ms last"], rows);
}

function lanesTable({ lanes }: JobFigures): string {
  const rows = lanes.map((row) => [
    of(row),
    ...[row.take.p50, row.take.p99, row.end.p50, row.end.p99].map(ms),
    `+${row.rssMb.toFixed(0)}`,
  ]);
  return markdownTable(["", "take p50 ms", "take p99 ms", "end p50 ms", "end p99 ms", "memory MB"], rows);
}

function wakeTable({ wake }: JobFigures): string {
  const rows = wake.map((row) => [of(row), `${count(row.rate)}/s`, count(row.jobs), ms(row.p50), ms(row.p99)]);
  return markdownTable(["", "rate", "jobs", "p50 ms", "p99 ms"], rows);
}
