import { inTurns } from "../kit/rounds.ts";
import type { Spread } from "../kit/statistics.ts";
import { drain, withProcess, withTable, type Bench } from "./bench.ts";
import type { Drained } from "./jobs-worker.ts";
import { growthOf, spreadIn, timeOf, type SubjectOnEngine } from "./measure-drain.ts";
import { subjects, type SubjectName } from "./plan.ts";

/** How one subject took jobs of many lanes, with one long lane in front. */
export interface LanesRow extends SubjectOnEngine {
  readonly take: Spread;
  readonly end: Spread;
  /** As in `DrainPoint`. */
  readonly rssMb: number;
}

/** Adds other lanes whenever only the long one is left. */
export async function measureLanes(bench: Bench): Promise<LanesRow[]> {
  const { lanes, drainMs, rounds } = bench.plan;
  const order = { open: ["bench lanes"], inLanes: true, jobs: lanes.others };
  return withTable(bench, async ({ url, table }) => {
    await table.addLanes(1, lanes.inFront);
    const parts: Record<SubjectName, Drained[]> = { engine: [], "by-hand": [] };
    for (let round = 0; round < rounds; round += 1)
      for (const subject of inTurns(subjects, round)) {
        bench.progress(` ${subject}`);
        await withProcess(bench, [subject, url], async (worker) => {
          let before: number | undefined;
          for (let spent = 0; spent < drainMs;) {
            await table.addLanes(lanes.others, 1);
            const drained = await drain(worker, order);
            before ??= drained.rss.before;
            parts[subject].push({ ...drained, rss: { before, most: drained.rss.most } });
            spent += timeOf(drained.turns);
          }
        });
      }
    return subjects.map((subject) => {
      const turns = parts[subject].flatMap((drained) => drained.turns);
      const times = { take: spreadIn(turns, "takeMs"), end: spreadIn(turns, "endMs") };
      return { engine: bench.engine, subject, ...times, rssMb: growthOf(parts[subject]) };
    });
  });
}
