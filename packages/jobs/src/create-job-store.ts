import { createGroupCommit, now, retryTransient, rowsStatement } from "@crosszone/sql";
import type { Database, WriteRow, WriteStatement, WrittenWith } from "@crosszone/sql";
import { sql, type CompiledQuery, type Transaction } from "kysely";
import type { HeldJob, NewJob } from "./job.ts";
import type { JobLease } from "./job-lease.ts";
import type { JobSchema } from "./job-schema.ts";
import { endRow, insertRow } from "./job-rows.ts";
import { jobStatements } from "./job-statements.ts";
import { insertColumns, insertTellingText } from "./job-texts.ts";
import type { EndingJob, JobStore } from "./job-store.ts";
import { jobStates, type JobTables } from "./job-tables.ts";
import { endOpenJob, findHeld, findLost, readJobs } from "./read-jobs.ts";
import { createTakeMarks, type TakeMarks } from "./take-marks.ts";
import { findWaitingShares, takeJobs } from "./take-jobs.ts";

export interface JobStoreOptions<Own extends string> {
  readonly database: Database<JobTables>;
  readonly lease: Pick<JobLease, "owner">;
  readonly schema: JobSchema<Own>;
  /** Where takes begin; to be given by who makes jobs ready that are not the last of their share. */
  readonly marks?: TakeMarks;
  /** Lets concurrent writes share a commit; `createGroupCommit` when absent. */
  readonly group?: typeof createGroupCommit;
  /** Called for each commit of new and of ended jobs. */
  readonly onCommit?: (group: { readonly jobs: number; readonly durationMs: number }) => void;
}

/** A job to store, and what to read with it. */
interface AddedJob<Own extends string> {
  readonly job: NewJob<Own>;
  readonly query?: CompiledQuery;
}

/** Jobs that end together, and the statements that belong to their ends. */
interface EndingUnit<Own extends string> {
  readonly jobs: readonly EndingJob<Own>[];
  readonly also: readonly CompiledQuery[];
}

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/** Most ends in one commit. */
const mostEnds = 100;

/** Creates a store in the zone's database. Concurrent arrivals share a commit, and so do concurrent ends. */
export function createJobStore<Own extends string>(options: JobStoreOptions<Own>): JobStore<Own> {
  const { database, lease, schema, group = createGroupCommit, onCommit } = options;
  const { db, engine } = database;
  const { marks = createTakeMarks(engine) } = options;
  const statements = jobStatements(schema, engine);
  const own = Object.keys(schema.own);
  const inserting = rowsStatement({
    columns: insertColumns(schema),
    text: (rows, of) => insertTellingText(schema, rows, of),
  });
  const reach = <T>(operation: () => Promise<T>): Promise<T> => retryTransient(operation, { budgetMs: patienceMs });
  const timed = async <T>(jobs: number, write: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const done = await write;
    onCommit?.({ jobs, durationMs: performance.now() - startedAt });
    return done;
  };
  /** One statement is cheaper than a transaction of several. */
  const writeWith = async (
    statement: WriteStatement<string>,
    rows: readonly WriteRow<string>[],
    { others, unflushed = false }: { readonly others: readonly CompiledQuery[]; readonly unflushed?: boolean },
  ): Promise<WrittenWith> => {
    if (others.length > 0) return timed(rows.length, database.writeWith(statement, rows, others));
    return { changed: await timed(rows.length, database.write(statement, rows, { unflushed })), results: [] };
  };
  const adder = (unflushed: boolean) =>
    group(
      async (added: readonly AddedJob<Own>[]) => {
        const rows = added.map(({ job }) => insertRow(schema, job, lease.owner));
        const statement = added.some(({ job }) => job.as === "ready") ? statements.insertReady : statements.insert;
        const others = added.flatMap(({ query }) => query ?? []);
        const { changed, results } = await writeWith(statement, rows, { others, unflushed });
        const read = results.values();
        return added.map(({ query }, index) => ({
          isNew: changed[index] === true,
          rows: query === undefined ? [] : (read.next().value?.rows ?? []),
        }));
      },
      { sizeOf: ({ job: { input, record } }) => record.length + (input?.length ?? 0) },
    );
  const [addFlushed, addUnflushed] = [adder(false), adder(true)];
  const endings = group(
    async (units: readonly EndingUnit<Own>[]) => {
      const jobs = units.flatMap((unit) => unit.jobs);
      const rows = jobs.map(({ held, end, tells }) => endRow(schema, held, { owner: lease.owner, end, told: tells }));
      const statement = jobs.some(({ tells }) => tells) ? statements.endTold : statements.end;
      const { changed } = await writeWith(statement, rows, { others: units.flatMap(({ also }) => also) });
      const ended = changed.values();
      return units.map((unit) => unit.jobs.map(() => ended.next().value === true));
    },
    { most: mostEnds, sizeOf: ({ jobs }) => jobs.reduce((sum, { end }) => sum + (end.output?.length ?? 0), 0) },
  );

  const setters = new Map<string, (row: WriteRow<string>) => Promise<boolean>>();
  const setterOf = (columns: readonly string[]): ((row: WriteRow<string>) => Promise<boolean>) => {
    const name = columns.join(" ");
    const known = setters.get(name);
    if (known !== undefined) return known;
    const statement = statements.set(columns);
    const setter = group((rows: readonly WriteRow<string>[]) => database.write(statement, rows));
    setters.set(name, setter);
    return setter;
  };

  return {
    owner: () => lease.owner,

    add: async (job, { unflushed = false } = {}) =>
      (await reach(() => (unflushed ? addUnflushed : addFlushed)({ job }))).isNew,

    addReading: (job, query) => reach(() => addFlushed({ job, query })),

    addWithin: async (transaction: Transaction<never>, jobs) => {
      const rows = jobs.map((job) => insertRow(schema, job, lease.owner));
      await inserting(transaction, engine, rows);
    },

    waitingShares: (kind) => reach(() => findWaitingShares(database, kind)),

    take: async (wanted) => {
      const taken = await reach(() =>
        takeJobs<Own>(database, wanted, { owner: lease.owner, own, markOf: marks.markOf }),
      );
      marks.taken(wanted, taken);
      return taken;
    },

    end: async (jobs, also = []) => {
      const ended = await reach(() => endings({ jobs, also }));
      if (ended.every(Boolean)) return ended;
      const rest = jobs.filter((_, index) => !ended[index]);
      const before = new Set(await reach(() => endedBefore(rest)));
      return ended.map((isEnded, index) => isEnded || before.has(keyOf(jobs[index] as EndingJob<Own>)));
    },

    endOpen: (id, end) => reach(() => endOpenJob<Own>(database, { id, end, schema })),

    release: (held, { counted, afterMs = 0 }) =>
      reach(async () => {
        const rows = held.map(({ id, attempt }) => ({
          id,
          attempt,
          owner: lease.owner,
          after_ms: Math.round(afterMs),
          counted: Number(counted),
        }));
        if (rows.length > 0) await database.write(statements.release, rows);
      }),

    set: (held, values) =>
      reach(async () => {
        const { id, attempt } = held;
        const set = setterOf(Object.keys(values));
        return set({ id, attempt, owner: lease.owner, ...(values as Record<string, string | number | null>) });
      }),

    held: (kind) => reach(() => findHeld(db, kind, lease.owner)),

    lost: (held) => reach(() => findLost(db, held, lease.owner)),

    forget: (kind, retentionMs, most) =>
      reach(async () => {
        const old = sql`kind = ${kind} and state = 4 and ended_at < (select ${now(engine)} - ${retentionMs})`;
        const { numAffectedRows = 0n } = await sql`
          delete from job where sequence in (
            select sequence from job where ${old} order by ended_at limit ${sql.lit(most)}) and ${old}`.execute(db);
        return Number(numAffectedRows);
      }),

    readings: (kind) => reach(() => readJobs(database, kind)),
  };

  /** Returns jobs that this process had ended: the commit was done, and its answer was lost. */
  async function endedBefore(jobs: readonly EndingJob<Own>[]): Promise<readonly string[]> {
    const ids = jobs.map(({ held }) => held.id);
    const found = db.selectFrom("job").select(["id", "attempt", "outcome"]).where("id", "in", ids);
    const rows = await found.where("owner", "=", lease.owner).where("state", "=", jobStates.ended).execute();
    return rows.map(({ id, attempt, outcome }) => keyOf({ held: { id, attempt }, end: { outcome } }));
  }
}

/** The same end of the same lease has the same key. */
const keyOf = ({ held, end }: { readonly held: HeldJob; readonly end: { readonly outcome: string | null } }): string =>
  `${held.attempt} ${held.id} ${end.outcome}`;
