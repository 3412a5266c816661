import { expect, test } from "vitest";
import { readOptions } from "../kit/benchmark.ts";
import { jobs, planOf } from "./benchmark.ts";
import { judgeJobs, type JobFigures } from "./goals.ts";
import { images } from "./images.ts";
import type { DrainPoint } from "./measure-drain.ts";
import { fullPlan, quickPlan } from "./plan.ts";
import { renderJobsReport } from "./report.ts";

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

test("goals apply to the engine's growth, not to the hand-written statements", () => {
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

test("a page has sections and curves only for what was measured", () => {
  const figures = { ...nothing, drain: [point(1_000, 10_000), point(10_000, 9_000)] };
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderJobsReport({ machine, plan: quickPlan, figures, goals: judgeJobs(figures) });
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(["Goals", "Drain"]);
  expect([...page.matchAll(/images\/([\w-]+\.svg)/g)].map(([, file]) => file)).toEqual(Object.keys(images(figures)));
  expect(page).toContain("| **PostgreSQL, engine** |  10,000 |   9000 |        1.25 |        4.00 |");
  expect(page).not.toMatch(/NaN|undefined/);
});

test("the command line of bench:jobs", () => {
  expect(readOptions(jobs, ["--help"])).toBeUndefined();
  expect(readOptions(jobs, [])).toMatchObject({ plan: fullPlan, engines: ["sqlite", "postgres"], write: false });
  const chosen = readOptions(jobs, ["--quick", "--only", "wake", "--engine", "postgres", "--kept", "10000000"]);
  expect(chosen).toMatchObject({ engines: ["postgres"], parts: ["wake"] });
  expect(chosen && planOf(chosen)).toEqual({ ...quickPlan, kept: 10_000_000 });
  const rounds = readOptions(jobs, ["--rounds", "2"]);
  expect(rounds && planOf(rounds)).toEqual({ ...fullPlan, rounds: 2 });
  expect(() => readOptions(jobs, ["--only", "speed"])).toThrow("--only speed: there is only drain");
  expect(() => readOptions(jobs, ["--engine", "mysql"])).toThrow("--engine mysql: there is only sqlite, postgres");
  expect(() => readOptions(jobs, ["--kept", "many"])).toThrow(
    'Expected a whole number above 0 for --kept, got "many".',
  );
  expect(() => readOptions(jobs, ["--rounds", "0"])).toThrow('Expected a whole number above 0 for --rounds, got "0".');
});
