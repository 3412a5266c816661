import type { Progress } from "../kit/benchmark.ts";
import { startDatabases, withDatabase, type Databases } from "../kit/databases.ts";
import { inTurns } from "../kit/rounds.ts";
import { median, spreadOf, sum } from "../kit/statistics.ts";
import { spawnWorker, waitUntil, type Worker } from "../kit/worker.ts";
import { createJobTable, openJobDatabase, openSnapshot, type JobTable } from "./job-table.ts";
import { subjectNames, type Engine, type SubjectName } from "./jobs.ts";
import type { Drained, DrainOrder, Turn } from "./jobs-worker.ts";

/** How much is measured. Times are milliseconds. */
export interface Plan {
  readonly rounds: number;
  /** Waiting and ended jobs in the table. */
  readonly tables: readonly { readonly waiting: number; readonly ended: number }[];
  readonly drainMs: number;
  /** The table that is drained while a snapshot is open. */
  readonly snapshot: { readonly waiting: number; readonly drained: number };
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
  /** The growth of the process's resident memory from its first take on, megabytes. */
  readonly rssMb: number;
}

interface SnapshotRow extends Row {
  /** Jobs a second of the first and of the last tenth, and the medians of their takes. */
  readonly first: { readonly jobsPerSecond: number; readonly takeMs: number };
  readonly last: SnapshotRow["first"];
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
const drain = (worker: Worker, order: DrainOrder): Promise<Drained> => worker.call<Drained>("drain", order, timeoutMs);

/** Opens an empty table for some work, and drops it afterwards. */
const withTable = <T>(
  { databases, engine }: Bench,
  work: (table: JobTable, start: (subject: SubjectName) => Worker, url: string) => Promise<T>,
): Promise<T> =>
  withDatabase(databases, engine, async ({ url }) => {
    const database = await openJobDatabase(url);
    const workers: Worker[] = [];
    const start = (subject: SubjectName): Worker => {
      const worker = spawnWorker("jobs/jobs-worker.ts", { args: [subject, engine, url] });
      workers.push(worker);
      return worker;
    };
    try {
      return await work(createJobTable(database), start, url);
    } finally {
      for (const worker of workers) await worker.stop();
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
      const found: Record<SubjectName, (Drained & { growthMb: number })[]> = { engine: [], "by-hand": [] };
      for (let round = 0; round < plan.rounds; round += 1)
        for (const subject of inTurns(subjectNames, round)) {
          const worker = start(subject);
          const fill = (): Promise<void> => table.fillTo(at.waiting);
          const { rss } = await drainFor(worker, plan.drainMs / 5, fill);
          const drained = await drainFor(worker, plan.drainMs, fill);
          await worker.stop();
          found[subject].push({ ...drained, growthMb: (drained.rss.most - rss.before) / 1_048_576 });
        }
      for (const subject of subjectNames) {
        const middle = (figure: (drained: (typeof found)["engine"][number]) => number): number =>
          median(found[subject].map(figure));
        rows.push({
          engine,
          subject,
          ...at,
          jobsPerSecond: middle(({ turns }) => rateOf(turns)),
          takeMs: middle(({ turns }) => medianOf(turns, "takeMs")),
          endMs: middle(({ turns }) => medianOf(turns, "endMs")),
          rssMb: middle(({ growthMb }) => growthMb),
        });
      }
    });
  return rows;
}

/** Drains for a time; fills the table up, outside of that time, when no job is left to take. */
async function drainFor(worker: Worker, ms: number, fill: () => Promise<void>): Promise<Drained> {
  const parts: Drained[] = [];
  for (let spent = 0; spent < ms;) {
    if (parts.length === 0 || parts.at(-1)?.isEmpty) await fill();
    const part = await drain(worker, { ms: ms - spent });
    if (part.turns.length === 0) throw new Error("there was no job to take in a full table");
    parts.push(part);
    spent += timeOf(part.turns);
  }
  const rss = { before: parts[0]?.rss.before ?? 0, most: Math.max(...parts.map((part) => part.rss.most)) };
  return { turns: parts.flatMap(({ turns }) => turns), isEmpty: false, rss };
}

/** Drains a new table while another connection reads it in a transaction that stays open. */
async function measureSnapshot(bench: Bench): Promise<SnapshotRow[]> {
  const { waiting, drained } = bench.plan.snapshot;
  const rows: SnapshotRow[] = [];
  for (const subject of subjectNames)
    await withTable(bench, async (table, start, url) => {
      await table.fillTo(waiting);
      const worker = start(subject);
      await drain(worker, { jobs: drained / 10 });
      const close = await openSnapshot(bench.engine, url);
      const { turns } = await drain(worker, { jobs: drained });
      await close();
      const tenth = Math.ceil(turns.length / 10);
      const figuresOf = (some: readonly Turn[]) => ({ jobsPerSecond: rateOf(some), takeMs: medianOf(some, "takeMs") });
      const [first, last] = [turns.slice(0, tenth), turns.slice(-tenth)].map(figuresOf);
      if (first && last) rows.push({ engine: bench.engine, subject, first, last });
    });
  return rows;
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
  const found = { drain: [] as DrainRow[], snapshot: [] as SnapshotRow[], wake: [] as WakeRow[] };
  try {
    for (const engine of of) {
      const bench: Bench = { plan, engine, databases };
      progress(`${engine}: drain`);
      found.drain.push(...(await measureDrain(bench)));
      progress(", snapshot");
      found.snapshot.push(...(await measureSnapshot(bench)));
      progress(", wake\n");
      found.wake.push(...(await measureWake(bench)));
    }
    return found;
  } finally {
    await databases.stop();
  }
}
