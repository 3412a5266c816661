import { inTurns } from "../kit/rounds.ts";
import { median, spreadOf, sum, type Spread } from "../kit/statistics.ts";
import type { Worker } from "../kit/worker.ts";
import { drain, withProcess, withTable, type Bench, type OpenTable } from "./bench.ts";
import type { Drained, Turn } from "./jobs-worker.ts";
import { openShares, subjects, type Engine, type SubjectName } from "./plan.ts";

/** One subject on one database. */
export interface SubjectOnEngine {
  readonly engine: Engine;
  readonly subject: SubjectName;
}

/** How one subject took and ended jobs: medians of the rounds, with `waiting` jobs in the table at their beginning. Milliseconds. */
export interface DrainPoint extends SubjectOnEngine {
  readonly waiting: number;
  /** Ended jobs in the table. */
  readonly kept: number;
  readonly jobsPerSecond: number;
  readonly take: Spread;
  readonly end: Spread;
  /** The growth of its process's resident memory from its first take on, megabytes; the most of all rounds. */
  readonly rssMb: number;
}

/** Drains a new table for each size. */
export async function measureDrain(bench: Bench): Promise<DrainPoint[]> {
  const points: DrainPoint[] = [];
  for (const waiting of bench.plan.sizes) {
    bench.progress(` ${waiting}`);
    points.push(...(await withTable(bench, (open) => measurePoint(bench, open, { waiting, kept: 0 }))));
  }
  return points;
}

/** Drains each size in one table that has ended jobs as well. */
export async function measureKept(bench: Bench): Promise<DrainPoint[]> {
  const { sizes, kept } = bench.plan;
  return withTable(bench, async (open) => {
    const from = performance.now();
    await open.table.keep(kept);
    bench.progress(` ${kept} ended (${((performance.now() - from) / 1_000).toFixed(0)} s)`);
    const points: DrainPoint[] = [];
    for (const waiting of sizes) {
      bench.progress(` ${waiting}`);
      points.push(...(await measurePoint(bench, open, { waiting, kept })));
    }
    return points;
  });
}

async function measurePoint(
  bench: Bench,
  { url, table }: OpenTable,
  at: Pick<DrainPoint, "waiting" | "kept">,
): Promise<DrainPoint[]> {
  const { plan, engine } = bench;
  const rounds: Record<SubjectName, Drained[]> = { engine: [], "by-hand": [] };
  const fill = (): Promise<void> => table.fillTo(at.waiting);
  for (let round = 0; round < plan.rounds; round += 1)
    for (const subject of inTurns(subjects, round))
      await withProcess(bench, [subject, url], async (worker) => {
        const warmUp = await drainFor(worker, plan.drainMs / 5, fill);
        const measured = await drainFor(worker, plan.drainMs, fill);
        rounds[subject].push({ ...measured, rss: { before: warmUp.rss.before, most: measured.rss.most } });
      });
  return subjects.map((subject) => {
    const own = rounds[subject];
    const middle = (of: (turns: readonly Turn[]) => number): number => median(own.map(({ turns }) => of(turns)));
    const spread = (figure: "takeMs" | "endMs"): Spread => ({
      p50: middle((turns) => spreadIn(turns, figure).p50),
      p99: middle((turns) => spreadIn(turns, figure).p99),
    });
    const times = { take: spread("takeMs"), end: spread("endMs") };
    return { engine, subject, ...at, jobsPerSecond: middle(rateOf), ...times, rssMb: growthOf(own) };
  });
}

/** Takes and ends for a time; fills the table up, outside of that time, when no job is left to take. */
async function drainFor(worker: Worker, ms: number, fill: () => Promise<void>): Promise<Drained> {
  const parts: Drained[] = [];
  for (let spent = 0; spent < ms;) {
    if (parts.length === 0 || parts.at(-1)?.isEmpty) await fill();
    const part = await drain(worker, { open: openShares, ms: ms - spent });
    if (part.turns.length === 0) throw new Error("there was no job to take in a full table");
    parts.push(part);
    spent += timeOf(part.turns);
  }
  return {
    turns: parts.flatMap(({ turns }) => turns),
    isEmpty: false,
    rss: { before: parts[0]?.rss.before ?? 0, most: Math.max(...parts.map(({ rss }) => rss.most)) },
  };
}

/** Milliseconds spent taking and ending. */
export const timeOf = (turns: readonly Turn[]): number => sum(turns.map(({ takeMs, endMs }) => takeMs + endMs));

/** Megabytes. */
export const growthOf = (drained: readonly Pick<Drained, "rss">[]): number =>
  Math.max(...drained.map(({ rss }) => (rss.most - rss.before) / 1_048_576));

/** Jobs a second. */
export const rateOf = (turns: readonly Turn[]): number => (sum(turns.map(({ jobs }) => jobs)) / timeOf(turns)) * 1_000;

export const spreadIn = (turns: readonly Turn[], figure: "takeMs" | "endMs"): Spread =>
  spreadOf(turns.map((turn) => turn[figure]));
