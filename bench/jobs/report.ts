import type { Findings } from "../kit/benchmark.ts";
import { goalList } from "../kit/goals.ts";
import { machineLine, type Machine } from "../kit/machine.ts";
import { fixed, grouped, page, section, table, type Column } from "../kit/markdown.ts";
import type { JobFigures } from "./goals.ts";
import { images, snapshotImage } from "./images.ts";
import type { DrainPoint, SubjectOnEngine } from "./measure-drain.ts";
import { batch, engines, engineTitles, openShares, shareCount, subjects, subjectTitles, type Plan } from "./plan.ts";

/** Writes the findings as Markdown: the page `docs/bench-jobs.md`. */
export function renderJobsReport({ machine, plan, figures, goals }: Findings<Plan, JobFigures>): string {
  const drawn = new Set(Object.keys(images(figures)));
  const image = (file: string, text: string): string => (drawn.has(file) ? `![${text}](images/${file})` : "");
  const { drain, kept, snapshot, lanes, wake } = figures;
  const sectionOf = (title: string, has: readonly unknown[], ...parts: readonly string[]): string =>
    has.length === 0 ? "" : section(title, ...parts);
  return page([
    header(machine, plan),
    section("Goals", goalList(goals)),
    sectionOf(
      "Drain",
      drain,
      `One process takes ${batch} jobs and ends ${batch}, again and again. The jobs wait in ${shareCount} shares, and ${shareCount - openShares.length} of these have no room: their jobs stay.`,
      image("bench-jobs-drain.svg", "Jobs a second by the number of waiting jobs"),
      image("bench-jobs-take.svg", "Time of a take by the number of waiting jobs"),
      image("bench-jobs-memory.svg", "Growth of memory by the number of waiting jobs"),
      drainTable(drain),
    ),
    sectionOf(
      "With ended jobs",
      kept,
      `The same in a table that keeps ${grouped(kept[0]?.kept ?? 0)} ended jobs.`,
      image("bench-jobs-kept.svg", "Jobs a second with ended jobs"),
      drainTable(kept),
    ),
    sectionOf(
      "Open snapshot",
      snapshot,
      `Another connection reads the table in a transaction that stays open, as a dump or a report does. ${grouped(plan.snapshot.drained)} of ${grouped(plan.snapshot.waiting)} waiting jobs are drained.`,
      ...engines.map((engine) =>
        image(snapshotImage(engine), `Jobs a second on ${engineTitles[engine]} while a snapshot is open`),
      ),
      snapshotTable(figures),
    ),
    sectionOf(
      "Lanes",
      lanes,
      `One lane of ${grouped(plan.lanes.inFront)} jobs is in front of ${grouped(plan.lanes.others)} other lanes of one job each. A job of a lane waits for the one before it, and its end makes the next one ready. The engine deletes a job of a lane when it ends; by hand, it is kept.`,
      table(lanes, [subjectColumn, ...timeColumns]),
    ),
    sectionOf(
      "Wake",
      wake,
      "From the start of an insert in one process until another process has the job.",
      table(wake, [
        subjectColumn,
        ["rate", ({ rate }) => `${grouped(rate)}/s`],
        ["jobs", ({ jobs }) => grouped(jobs)],
        ["p50 ms", ({ p50 }) => ms(p50)],
        ["p99 ms", ({ p99 }) => ms(p99)],
      ]),
    ),
  ]);
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

const subjectColumn: Column<SubjectOnEngine> = [
  "",
  ({ engine, subject }) =>
    subject === "engine" ? `**${engineTitles[engine]}, engine**` : `${engineTitles[engine]}, ${subjectTitles[subject]}`,
];

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

const timeColumns: readonly Column<Pick<DrainPoint, "take" | "end" | "rssMb">>[] = [
  ["take p50 ms", ({ take }) => ms(take.p50)],
  ["take p99 ms", ({ take }) => ms(take.p99)],
  ["end p50 ms", ({ end }) => ms(end.p50)],
  ["end p99 ms", ({ end }) => ms(end.p99)],
  ["memory MB", ({ rssMb }) => `+${fixed(rssMb, 0)}`],
];

const byEngineAndSubject = (a: DrainPoint, b: DrainPoint): number =>
  engines.indexOf(a.engine) - engines.indexOf(b.engine) ||
  subjects.indexOf(a.subject) - subjects.indexOf(b.subject) ||
  a.waiting - b.waiting;

const drainTable = (points: readonly DrainPoint[]): string =>
  table(points.toSorted(byEngineAndSubject), [
    subjectColumn,
    ["waiting", ({ waiting }) => grouped(waiting)],
    ["jobs/s", ({ jobsPerSecond }) => fixed(jobsPerSecond, 0)],
    ...timeColumns,
  ]);

const snapshotTable = ({ snapshot }: JobFigures): string =>
  table(snapshot, [
    subjectColumn,
    ["snapshot", ({ held }) => (held ? "open" : "none")],
    ["jobs/s first", ({ parts }) => fixed(parts[0]?.jobsPerSecond ?? 0, 0)],
    ["jobs/s last", ({ parts }) => fixed(parts.at(-1)?.jobsPerSecond ?? 0, 0)],
    ["take ms first", ({ parts }) => ms(parts[0]?.takeP50Ms ?? 0)],
    ["take ms last", ({ parts }) => ms(parts.at(-1)?.takeP50Ms ?? 0)],
  ]);
