import { expect, test } from "vitest";
import { drawLineChart } from "../bench/chart/line-chart.ts";
import { judgeJobs } from "../bench/jobs/goals.ts";
import { images } from "../bench/jobs/images.ts";
import type { DrainPoint } from "../bench/jobs/measure-drain.ts";
import type { JobFigures } from "../bench/jobs/measure.ts";
import { readJobsOptions } from "../bench/jobs/options.ts";
import { fullPlan, quickPlan } from "../bench/jobs/plan.ts";
import { renderJobsReport } from "../bench/jobs/report.ts";

const spread = { p50: 1.25, p99: 4 };
const point = (waiting: number, jobsPerSecond: number, members: Partial<DrainPoint> = {}): DrainPoint => ({
  engine: "postgres",
  subject: "engine",
  waiting,
  kept: 0,
  jobsPerSecond,
  take: spread,
  end: spread,
  rssMb: 10,
  ...members,
});
const nothing: JobFigures = { drain: [], kept: [], snapshot: [], lanes: [], wake: [] };

test("the engine is judged by its growth, and the statements by hand are not judged", () => {
  const parts = [1, 1, 1, 2].map((takeP50Ms, index) => ({ drained: index, jobsPerSecond: 1, takeP50Ms }));
  const goals = judgeJobs({
    ...nothing,
    drain: [
      point(1_000, 10_000),
      point(100_000, 8_000, { rssMb: 65 }),
      point(1_000_000, 7_999),
      point(1_000_000, 1, { subject: "by-hand" }),
    ],
    snapshot: [
      { engine: "postgres", subject: "engine", held: false, parts },
      { engine: "postgres", subject: "engine", held: true, parts },
    ],
    lanes: [{ engine: "sqlite", subject: "engine", take: spread, end: spread, rssMb: 5 }],
    wake: [
      { engine: "postgres", subject: "engine", rate: 10, jobs: 100, p50: 5.1, p99: 9 },
      { engine: "sqlite", subject: "engine", rate: 10, jobs: 100, p50: 50, p99: 90 },
    ],
  });
  expect(goals.map(({ goal, met }) => `${met ? "✓" : "✗"} ${goal}`)).toEqual([
    "✓ PostgreSQL: drain with 100,000 waiting ≥ 0.80 of that with 1,000",
    "✗ PostgreSQL: memory with 100,000 waiting ≤ +64 MB",
    "✗ PostgreSQL: drain with 1,000,000 waiting ≥ 0.80 of that with 1,000",
    "✓ PostgreSQL: memory with 1,000,000 waiting ≤ +64 MB",
    "✗ PostgreSQL: take with an open snapshot, last quarter ≤ 1.50 of the first",
    "✓ SQLite: take p50 behind a long lane ≤ 5 ms",
    "✗ PostgreSQL: wake p50 at 10/s ≤ 5 ms",
  ]);
});

test("a page has the sections and the curves of what was measured, and no others", () => {
  const figures = { ...nothing, drain: [point(1_000, 10_000), point(10_000, 9_000)] };
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderJobsReport({ machine, plan: quickPlan, figures, goals: judgeJobs(figures) });
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(["Goals", "Drain"]);
  expect([...page.matchAll(/images\/([\w-]+\.svg)/g)].map(([, file]) => file)).toEqual(Object.keys(images(figures)));
  expect(page).toContain("| **PostgreSQL, engine** |  10,000 |   9000 |        1.25 |        4.00 |");
  expect(page).not.toMatch(/NaN|undefined/);
});

test("a chart places its points on its axes", () => {
  const svg = drawLineChart({
    title: "Growth",
    x: { label: "x", logarithmic: true },
    y: { label: "y" },
    series: [
      {
        name: "a < b",
        points: [
          [1_000, 0],
          [10_000, 40],
          [100_000, 80],
        ],
      },
      { name: "empty", points: [] },
    ],
    drawnBy: "a test",
  });
  // From the left below to the right above, the second point in the middle.
  expect(svg).toContain('d="M84 340 L302 196 L520 52"');
  expect(svg).toContain("a &lt; b: 1,000 → 0, 10,000 → 40, 100,000 → 80.");
  expect(svg).not.toMatch(/empty|NaN/);
  // A comment of XML ends at two hyphens.
  expect(svg.match(/--/g)).toHaveLength(2);
  const ticks = [...svg.matchAll(/class="tick"[^>]*>([\d,.]+)</g)].map(([, tick]) => tick);
  expect(ticks).toEqual(["1,000", "10,000", "100,000", "0", "20", "40", "60", "80"]);
});

test("the command line of bench:jobs", () => {
  expect(readJobsOptions(["--help"])).toBeUndefined();
  expect(readJobsOptions([])).toMatchObject({ plan: fullPlan, engines: ["sqlite", "postgres"], write: false });
  expect(
    readJobsOptions(["--quick", "--only", "wake", "--engine", "postgres", "--kept", "10000000", "--rounds", "2"]),
  ).toMatchObject({
    plan: { ...quickPlan, kept: 10_000_000, rounds: 2 },
    engines: ["postgres"],
    parts: ["wake"],
  });
  expect(() => readJobsOptions(["--only", "speed"])).toThrow("--only speed: there is only drain");
  expect(() => readJobsOptions(["--engine", "mysql"])).toThrow("--engine mysql: there is only sqlite, postgres");
  expect(() => readJobsOptions(["--kept", "many"])).toThrow('Expected a whole number above 0 for --kept, got "many".');
  expect(() => readJobsOptions(["--rounds", "0"])).toThrow('Expected a whole number above 0 for --rounds, got "0".');
});
