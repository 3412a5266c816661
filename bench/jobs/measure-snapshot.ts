import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { drain, withProcess, withTable, type Bench } from "./bench.ts";
import type { Turn } from "./jobs-worker.ts";
import { rateOf, spreadIn, type SubjectOnEngine } from "./measure-drain.ts";
import { openShares, subjects, type Engine, type SubjectName } from "./plan.ts";

/** How fast one subject drained a table, in equal parts of the jobs that it drained. */
export interface SnapshotCurve extends SubjectOnEngine {
  /** Whether another connection had a snapshot open. */
  readonly held: boolean;
  readonly parts: readonly SnapshotPart[];
}

interface SnapshotPart {
  /** Jobs drained at the end of the part. */
  readonly drained: number;
  readonly jobsPerSecond: number;
  readonly takeP50Ms: number;
}

const partCount = 20;

/** Drains a new table each time, with and without an open snapshot. */
export async function measureSnapshot(bench: Bench): Promise<SnapshotCurve[]> {
  const curves: SnapshotCurve[] = [];
  for (const subject of subjects)
    for (const held of [false, true]) {
      bench.progress(` ${subject}${held ? " held" : ""}`);
      const turns = await drainBeside(bench, subject, held);
      curves.push({
        engine: bench.engine,
        subject,
        held,
        parts: partsOf(turns, bench.plan.snapshot.drained / partCount),
      });
    }
  return curves;
}

function drainBeside(bench: Bench, subject: SubjectName, held: boolean): Promise<readonly Turn[]> {
  const { waiting, drained } = bench.plan.snapshot;
  return withTable(bench, async ({ url, table }) => {
    await table.fillTo(waiting);
    return withProcess(bench, [subject, url], async (worker) => {
      await drain(worker, { open: openShares, jobs: drained / 10 });
      const close = held ? await openSnapshot(bench.engine, url) : undefined;
      const { turns } = await drain(worker, { open: openShares, jobs: drained });
      await close?.();
      return turns;
    });
  });
}

/** Reads the table in a transaction that stays open until the returned function is called. */
async function openSnapshot(engine: Engine, url: string): Promise<() => Promise<void>> {
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

function partsOf(turns: readonly Turn[], jobsEach: number): readonly SnapshotPart[] {
  const parts: SnapshotPart[] = [];
  let [own, drained]: [Turn[], number] = [[], 0];
  for (const turn of turns) {
    own.push(turn);
    drained += turn.jobs;
    if (drained < (parts.length + 1) * jobsEach) continue;
    parts.push({ drained, jobsPerSecond: rateOf(own), takeP50Ms: spreadIn(own, "takeMs").p50 });
    own = [];
  }
  return parts;
}
