import type { Worker } from "../process/spawn-worker.ts";
import { median, quantile } from "../statistics.ts";
import { inTurns, patienceMs, withProcess, withTable, type Bench, type OpenTable } from "./bench.ts";
import type { Drained, DrainOrder, Turn } from "./jobs-worker.ts";
import { openShares, subjects, type Engine, type SubjectName } from "./plan.ts";

/** How one subject took and ended jobs: medians of the rounds, with `waiting` jobs in the table at their beginning. */
export interface DrainPoint {
  readonly engine: Engine;
  readonly subject: SubjectName;
  readonly waiting: number;
  /** Ended jobs in the table. */
  readonly kept: number;
  readonly jobsPerSecond: number;
  readonly take: Spread;
  readonly end: Spread;
  /** How much the resident memory of its process grew from its first take on, megabytes; the most of all rounds. */
  readonly rssMb: number;
}

/** Milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** Drains a table of its own for each size. */
export async function measureDrain(bench: Bench): Promise<DrainPoint[]> {
  const points: DrainPoint[] = [];
  for (const waiting of bench.plan.sizes) {
    bench.progress(` ${waiting}`);
    points.push(...(await withTable(bench, (open) => measurePoint(bench, open, { waiting, kept: 0 }))));
  }
  return points;
}

/** Drains one table of each size beside the same ended jobs. */
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
  const rounds: { subject: SubjectName; drained: Drained }[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const subject of inTurns(round)) {
      const fill = (): Promise<void> => table.fillTo(at.waiting);
      const drained = await withProcess(bench, [subject, url], async (worker) => {
        const warmUp = await drainFor(worker, plan.drainMs / 5, fill);
        const measured = await drainFor(worker, plan.drainMs, fill);
        return { ...measured, rss: { before: warmUp.rss.before, most: measured.rss.most } };
      });
      rounds.push({ subject, drained });
    }
  }
  return subjects.map((subject) => {
    const own = rounds.filter((one) => one.subject === subject).map(({ drained }) => drained);
    const middle = (of: (turns: readonly Turn[]) => number): number => median(own.map(({ turns }) => of(turns)));
    return {
      engine,
      subject,
      ...at,
      jobsPerSecond: middle(rateOf),
      take: {
        p50: middle((turns) => spreadOf(turns, "takeMs").p50),
        p99: middle((turns) => spreadOf(turns, "takeMs").p99),
      },
      end: {
        p50: middle((turns) => spreadOf(turns, "endMs").p50),
        p99: middle((turns) => spreadOf(turns, "endMs").p99),
      },
      rssMb: growthOf(own),
    };
  });
}

/** Takes and ends for a time; fills the table up, outside of that time, when no job is left that may be taken. */
async function drainFor(worker: Worker, ms: number, fill: () => Promise<void>): Promise<Drained> {
  const parts: Drained[] = [];
  for (let spent = 0; spent < ms;) {
    if (parts.length === 0 || parts.at(-1)?.isEmpty) await fill();
    const order: DrainOrder = { open: openShares, ms: ms - spent };
    const part = await worker.ask<Drained>("drain", order, patienceMs);
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
export const timeOf = (turns: readonly Turn[]): number =>
  turns.reduce((sum, { takeMs, endMs }) => sum + takeMs + endMs, 0);

/** Megabytes. */
export const growthOf = (drained: readonly Pick<Drained, "rss">[]): number =>
  Math.max(...drained.map(({ rss }) => (rss.most - rss.before) / 1_048_576));

/** Jobs a second. */
export const rateOf = (turns: readonly Turn[]): number =>
  (turns.reduce((sum, { jobs }) => sum + jobs, 0) / timeOf(turns)) * 1_000;

export function spreadOf(turns: readonly Turn[], figure: "takeMs" | "endMs"): Spread {
  const sorted = turns.map((turn) => turn[figure]).toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}
