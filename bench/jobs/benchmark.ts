import { defineBenchmark } from "../kit/benchmark.ts";
import { fixed, grouped, paragraphs, tableSection } from "../kit/markdown.ts";
import { batch, engineNames, engines, openShares, shares, subjects } from "./jobs.ts";
import { measureJobs, type Plan, type Row } from "./measure.ts";

const fullPlan: Omit<Plan, "rounds"> = {
  tables: [
    { waiting: 1_000, ended: 0 },
    { waiting: 100_000, ended: 0 },
    { waiting: 1_000_000, ended: 0 },
    { waiting: 100_000, ended: 1_000_000 },
  ],
  drainMs: 2_000,
  wake: { rates: [10, 1_000], ms: 5_000 },
};

const quickPlan: Omit<Plan, "rounds"> = {
  tables: [
    { waiting: 400, ended: 0 },
    { waiting: 4_000, ended: 1_000 },
  ],
  drainMs: 50,
  wake: { rates: [100], ms: 500 },
};

const titleOf = ({ engine, subject }: Row): string => `${engines[engine]}: ${subjects[subject]}`;
const ms = (value: number): string => fixed(value, value < 10 ? 2 : 0);

export const jobs = defineBenchmark({
  title: "The job engine as its table grows",

  measure: ({ rounds, isQuick }, progress) =>
    measureJobs({ rounds, ...(isQuick ? quickPlan : fullPlan) }, engineNames, progress),

  render: ({ drain: drained, wake }) =>
    paragraphs(
      `- **The engine** is \`@crosszone/jobs\` as the zones use it: fair between shares, fenced by its lease, with retries and shared commits.
- **By hand** is bare statements on the same table. It knows its shares; the engine looks for them before each take.
- PostgreSQL has no statistics of the table, as in a burst of jobs.`,
      tableSection({
        title: "Drain",
        text: `One process takes ${batch} jobs and ends ${batch}, again and again. The jobs wait in ${shares.length} shares; ${shares.length - openShares.length} of these have no room, so their jobs stay.`,
        rows: drained,
        columns: [
          ["", titleOf],
          ["waiting", ({ waiting }) => grouped(waiting)],
          ["ended", ({ ended }) => grouped(ended)],
          ["jobs/s", ({ jobsPerSecond }) => fixed(jobsPerSecond, 0)],
          ["take p50 ms", ({ takeMs }) => ms(takeMs)],
          ["end p50 ms", ({ endMs }) => ms(endMs)],
        ],
      }),
      tableSection({
        title: "Wake",
        text: "From the start of an insert in one process until another process has the job.",
        rows: wake,
        columns: [
          ["", titleOf],
          ["jobs/s", ({ rate }) => grouped(rate)],
          ["p50 ms", ({ p50 }) => ms(p50)],
          ["p99 ms", ({ p99 }) => ms(p99)],
        ],
      }),
    ),
});
