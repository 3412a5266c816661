import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { patienceMs, withProcess, withTable, type Bench } from "./bench.ts";
import type { Drained, DrainOrder, Turn } from "./jobs-worker.ts";
import { rateOf, spreadOf } from "./measure-drain.ts";
import { openShares, subjects, type Engine, type SubjectName } from "./plan.ts";

/** How fast one subject drained a table, in equal parts of the jobs that it drained. */
export interface SnapshotCurve {
  readonly engine: Engine;
  readonly subject: SubjectName;
  /** Whether another connection held a snapshot open. */
  readonly held: boolean;
  readonly parts: readonly {
    /** Jobs drained when the part was done. */
    readonly drained: number;
    readonly jobsPerSecond: number;
    readonly takeP50Ms: number;
  }[];
}

const partCount = 20;

/** Drains a table of its own each time, with and without an open snapshot. */
export async function measureSnapshot(bench: Bench): Promise<SnapshotCurve[]> {
  const { waiting, drained } = bench.plan.snapshot;
  const curves: SnapshotCurve[] = [];
  for (const subject of subjects)
    for (const held of [false, true]) {
      bench.progress(` ${subject}${held ? " held" : ""}`);
      const drainedTurns = await withTable(bench, async ({ url, table }) => {
        await table.fillTo(waiting);
        return withProcess(bench, [subject, url], async (worker) => {
          const drain = (jobs: number): Promise<Drained> =>
            worker.ask<Drained>("drain", { open: openShares, jobs } satisfies DrainOrder, patienceMs);
          await drain(drained / 10);
          const letGo = held ? await holdSnapshot(bench.engine, url) : undefined;
          const { turns } = await drain(drained);
          await letGo?.();
          return turns;
        });
      });
      curves.push({ engine: bench.engine, subject, held, parts: partsOf(drainedTurns, drained / partCount) });
    }
  return curves;
}

/** Reads the table in a transaction that stays open until the returned function is called. */
async function holdSnapshot(engine: Engine, url: string): Promise<() => Promise<void>> {
  if (engine === "sqlite") {
    const file = new DatabaseSync(url.slice("sqlite:".length));
    file.exec("begin");
    file.prepare("select count(*) from job").get();
    return async () => file.close();
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("begin isolation level repeatable read");
  await client.query("select count(*) from bench.job");
  return () => client.end();
}

function partsOf(turns: readonly Turn[], jobsEach: number): SnapshotCurve["parts"] {
  const parts: { drained: number; jobsPerSecond: number; takeP50Ms: number }[] = [];
  let [own, drained]: [Turn[], number] = [[], 0];
  for (const turn of turns) {
    own.push(turn);
    drained += turn.jobs;
    if (drained < (parts.length + 1) * jobsEach) continue;
    parts.push({ drained, jobsPerSecond: rateOf(own), takeP50Ms: spreadOf(own, "takeMs").p50 });
    own = [];
  }
  return parts;
}
