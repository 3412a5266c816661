import { count, cpuProfiles, only, quickOr, select } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { startDatabases } from "../kit/databases.ts";
import type { Progress } from "../kit/rounds.ts";
import type { Bench } from "./bench.ts";
import { judgeJobs, type JobFigures } from "./goals.ts";
import { images } from "./images.ts";
import { measureDrain, measureKept } from "./measure-drain.ts";
import { measureLanes } from "./measure-lanes.ts";
import { measureSnapshot } from "./measure-snapshot.ts";
import { measureWake } from "./measure-wake.ts";
import { engines, engineTitles, fullPlan, parts, quickPlan, type Engine, type Part, type Plan } from "./plan.ts";
import { renderJobsReport } from "./report.ts";

const measures = {
  drain: measureDrain,
  kept: measureKept,
  snapshot: measureSnapshot,
  lanes: measureLanes,
  wake: measureWake,
} as const satisfies Record<Part, (bench: Bench) => Promise<readonly unknown[]>>;

interface JobsOptions {
  readonly plan: Plan;
  readonly engines: readonly Engine[];
  readonly parts: readonly Part[];
  readonly cpuProf?: string | undefined;
}

/** Measures one database after the other. */
export async function measureJobs(options: JobsOptions, progress: Progress): Promise<JobFigures> {
  const { plan, cpuProf } = options;
  const databases = await startDatabases(new Set(options.engines));
  const found: Record<Part, unknown[]> = { drain: [], kept: [], snapshot: [], lanes: [], wake: [] };
  try {
    for (const engine of options.engines)
      for (const part of options.parts) {
        progress(`${engineTitles[engine]}, ${part}:`);
        found[part].push(...(await measures[part]({ plan, engine, databases, cpuProf, progress })));
        progress("\n");
      }
    return found as unknown as JobFigures;
  } finally {
    await databases.stop();
  }
}

/** The plan with the numbers that have options of their own. */
export const planOf = (options: { plan: Plan; kept: number | undefined; rounds: number | undefined }): Plan => ({
  ...options.plan,
  kept: options.kept ?? options.plan.kept,
  rounds: options.rounds ?? options.plan.rounds,
});

export const jobs = defineBenchmark({
  script: "bench:jobs",
  about:
    "Measures the job engine as its table grows, compared with bare statements for the same work on the same table.",
  options: {
    plan: quickOr(fullPlan, quickPlan, "about a minute; without it about fifteen minutes"),
    parts: only("part", parts, "only this measurement"),
    engines: { ...select("name", engines, "only on this database"), name: "engine" },
    kept: count(
      "n",
      `ended jobs for the measurement "kept", ${fullPlan.kept} by default. 10,000,000\ntake up to 5 GB of disk, and some minutes to fill in`,
      undefined,
    ),
    rounds: count("n", `rounds, ${fullPlan.rounds} by default, one with --quick`, undefined),
    cpuProf: cpuProfiles("one CPU profile of each process"),
  },
  notes: `  drain     take 100 and end 100 again and again, with 1,000 to 1,000,000 jobs waiting in 20 shares, 10 of them without room
  kept      the same with ended jobs in the table
  snapshot  the same while another connection holds a snapshot open: the rate over time
  lanes     a lane of 100,000 jobs in front of 1,000 other lanes: take 100, end each
  wake      from the start of an insert until another process has the job

--write also draws its curves in docs/images.`,
  page: "bench-jobs.md",
  measure: async (options, progress) => {
    const plan = planOf(options);
    const figures = await measureJobs({ ...options, plan }, progress);
    return { plan, figures, goals: judgeJobs(figures) };
  },
  render: renderJobsReport,
  draw: ({ figures }) => images(figures),
});
