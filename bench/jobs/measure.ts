import type { Progress } from "../kit/benchmark.ts";
import { startDatabases, withDatabase, type Databases } from "../kit/databases.ts";
import { inTurns } from "../kit/rounds.ts";
import { median, spreadOf, sum } from "../kit/statistics.ts";
import { waitUntil, withWorkers, type Worker } from "../kit/worker.ts";
import { createJobTable, openJobDatabase, type JobTable } from "./job-table.ts";
import { subjectNames, type Engine, type SubjectName } from "./jobs.ts";
import type { Drained, Turn } from "./jobs-worker.ts";

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Waiting and ended jobs in the table. */
  readonly tables: readonly { readonly waiting: number; readonly ended: number }[];
  readonly drainMs: number;
  readonly wake: { readonly rates: readonly number[]; readonly ms: number };
}

/** Figures of one subject on one database. */
export interface Row {
  readonly engine: Engine;
  readonly subject: SubjectName;
}

interface DrainRow extends Row {
  readonly waiting: number;
  readonly ended: number;
  readonly jobsPerSecond: number;
  readonly takeMs: number;
  readonly endMs: number;
}

interface WakeRow extends Row {
  readonly rate: number;
  readonly jobs: number;
  readonly p50: number;
  readonly p99: number;
}

interface Bench {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly databases: Databases;
}

const timeoutMs = 600_000;
const drain = (worker: Worker, ms: number): Promise<Drained> => worker.call<Drained>("drain", ms, timeoutMs);

/** Opens an empty table for some work, and drops it afterwards. */
const withTable = <T>(
  { databases, engine }: Bench,
  work: (table: JobTable, start: (subject: SubjectName) => Worker) => Promise<T>,
): Promise<T> =>
  withDatabase(databases, engine, async ({ url }) => {
    const database = await openJobDatabase(url);
    try {
      return await withWorkers((start) =>
        work(createJobTable(database), (subject) => start("jobs/jobs-worker.ts", { args: [subject, engine, url] })),
      );
    } finally {
      await database.close();
    }
  });

const timeOf = (turns: readonly Turn[]): number => sum(turns.map(({ takeMs, endMs }) => takeMs + endMs));
const rateOf = (turns: readonly Turn[]): number => (sum(turns.map(({ jobs }) => jobs)) / timeOf(turns)) * 1_000;
const medianOf = (turns: readonly Turn[], figure: "takeMs" | "endMs"): number =>
  median(turns.map((turn) => turn[figure]));

/** Takes and ends again and again, in tables of each size. */
async function measureDrain(bench: Bench): Promise<DrainRow[]> {
  const { plan, engine } = bench;
  const rows: DrainRow[] = [];
  for (const at of plan.tables)
    await withTable(bench, async (table, start) => {
      await table.keep(at.ended);
      const found: Record<SubjectName, Turn[][]> = { engine: [], "by-hand": [] };
      for (let round = 0; round < plan.rounds; round += 1)
        for (const subject of inTurns(subjectNames, round)) {
          const worker = start(subject);
          const fill = (): Promise<void> => table.fillTo(at.waiting);
          await drainFor(worker, plan.drainMs / 5, fill);
          found[subject].push(await drainFor(worker, plan.drainMs, fill));
          await worker.stop();
        }
      for (const subject of subjectNames) {
        const middle = (figure: (turns: readonly Turn[]) => number): number => median(found[subject].map(figure));
        rows.push({
          engine,
          subject,
          ...at,
          jobsPerSecond: middle(rateOf),
          takeMs: middle((turns) => medianOf(turns, "takeMs")),
          endMs: middle((turns) => medianOf(turns, "endMs")),
        });
      }
    });
  return rows;
}

/** Drains for a time; fills the table up, outside of that time, when no job is left to take. */
async function drainFor(worker: Worker, ms: number, fill: () => Promise<void>): Promise<Turn[]> {
  const all: Turn[] = [];
  for (let isEmpty = true; timeOf(all) < ms;) {
    if (isEmpty) await fill();
    const drained = await drain(worker, ms - timeOf(all));
    if (drained.turns.length === 0) throw new Error("there was no job to take in a full table");
    all.push(...drained.turns);
    ({ isEmpty } = drained);
  }
  return all;
}

/** Measures how soon another process has a job, from the start of the insert. */
async function measureWake(bench: Bench): Promise<WakeRow[]> {
  const { rates, ms } = bench.plan.wake;
  const share = "bench wake";
  const rows: WakeRow[] = [];
  for (const subject of subjectNames)
    await withTable(bench, async (_, start) => {
      const [receiver, adder] = [start(subject), start(subject)];
      await receiver.call("receive", share, timeoutMs);
      const addAll = async (rate: number, forMs: number): Promise<readonly number[]> => {
        await receiver.call("forget");
        const added = await adder.call<number>("add", { share, rate, ms: forMs }, timeoutMs);
        return waitUntil(`${added} jobs arrived`, async () => {
          const latencies = await receiver.call<readonly number[]>("latencies");
          return latencies.length >= added ? latencies : undefined;
        });
      };
      for (const rate of rates) {
        await addAll(rate, ms / 5);
        const latencies = await addAll(rate, ms);
        rows.push({ engine: bench.engine, subject, rate, jobs: latencies.length, ...spreadOf(latencies) });
      }
    });
  return rows;
}

/** Measures one database after the other. */
export async function measureJobs(plan: Plan, of: readonly Engine[], progress: Progress) {
  const databases = await startDatabases(new Set(of));
  const found = { drain: [] as DrainRow[], wake: [] as WakeRow[] };
  try {
    for (const engine of of) {
      const bench: Bench = { plan, engine, databases };
      progress(`${engine}: drain`);
      found.drain.push(...(await measureDrain(bench)));
      progress(", wake\n");
      found.wake.push(...(await measureWake(bench)));
    }
    return found;
  } finally {
    await databases.stop();
  }
}
