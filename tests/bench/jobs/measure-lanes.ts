import { inTurns, patienceMs, withProcess, withTable, type Bench } from "./bench.ts";
import type { Drained, DrainOrder } from "./jobs-worker.ts";
import { growthOf, spreadOf, timeOf, type Spread } from "./measure-drain.ts";
import { subjects, type Engine, type SubjectName } from "./plan.ts";

/** How one subject took jobs of many lanes, with one long lane in front. */
export interface LanesRow {
  readonly engine: Engine;
  readonly subject: SubjectName;
  readonly take: Spread;
  readonly end: Spread;
  /** As in `DrainPoint`. */
  readonly rssMb: number;
}

/** Adds other lanes whenever only the long one is left. */
export async function measureLanes(bench: Bench): Promise<LanesRow[]> {
  const { lanes, drainMs, rounds } = bench.plan;
  return withTable(bench, async ({ url, table }) => {
    await table.addLanes(1, lanes.inFront);
    const parts: Record<SubjectName, Drained[]> = { engine: [], "by-hand": [] };
    for (let round = 0; round < rounds; round += 1)
      for (const subject of inTurns(round)) {
        bench.progress(` ${subject}`);
        await withProcess(bench, [subject, url], async (worker) => {
          let before: number | undefined;
          for (let spent = 0; spent < drainMs;) {
            await table.addLanes(lanes.others, 1);
            const order: DrainOrder = { open: ["bench lanes"], inLanes: true, jobs: lanes.others };
            const drained = await worker.ask<Drained>("drain", order, patienceMs);
            before ??= drained.rss.before;
            parts[subject].push({ ...drained, rss: { before, most: drained.rss.most } });
            spent += timeOf(drained.turns);
          }
        });
      }
    return subjects.map((subject) => {
      const turns = parts[subject].flatMap((drained) => drained.turns);
      return {
        engine: bench.engine,
        subject,
        take: spreadOf(turns, "takeMs"),
        end: spreadOf(turns, "endMs"),
        rssMb: growthOf(parts[subject]),
      };
    });
  });
}
