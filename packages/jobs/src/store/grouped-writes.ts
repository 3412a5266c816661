import { createCounter, createHistogram, type MetricsRegistry } from "@crosszone/service-kit";
import type { createGroupCommit, Database, WriteRow, WriteStatement, WrittenWith } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { JobLease } from "../lease/job-lease.ts";
import type { JobSchema, JobTables } from "../table/job-tables.ts";
import { endRow, insertRow } from "../table/job-texts.ts";
import type { LeaseId, NewJob, OwnValues } from "../table/job.ts";
import { jobStatements } from "./job-statements.ts";
import type { EndingJob } from "./waiting-ends.ts";

/** A job to store, and what to read with it. */
interface AddedJob<Own extends string> {
  readonly job: NewJob<Own>;
  readonly query?: CompiledQuery;
  /** A power loss may undo it. */
  readonly unflushed?: boolean;
}

/** The result of adding a job. */
export interface AddedReading {
  readonly isNew: boolean;
  /** The rows of the query. */
  readonly rows: readonly unknown[];
}

/** Jobs that end together, and the statements that belong to their ends. */
interface EndingUnit<Own extends string> {
  readonly jobs: readonly EndingJob<Own>[];
  readonly also: readonly CompiledQuery[];
}

/** Writes whose concurrent calls share a commit. None is retried. */
export interface GroupedWrites<Own extends string> {
  readonly add: (added: AddedJob<Own>) => Promise<AddedReading>;
  /** Returns for each job whether this process had leased it. */
  readonly end: (unit: EndingUnit<Own>) => Promise<readonly boolean[]>;
  /** Sets columns of a leased job. With statements of `also`, which belong to its transaction, it has a commit of its own. */
  readonly set: (leaseId: LeaseId, values: OwnValues<Own>, also?: readonly CompiledQuery[]) => Promise<boolean>;
}

export interface GroupedWritesDeps<Own extends string> {
  readonly database: Database<JobTables>;
  readonly lease: Pick<JobLease, "owner">;
  readonly schema: JobSchema<Own>;
  readonly group: typeof createGroupCommit;
  /** New or ended jobs were written together, in `durationMs` milliseconds. Must not throw. */
  readonly onCommit?: (group: { readonly jobs: number; readonly durationMs: number }) => void;
}

/** Returns a function that measures commits of tasks and of their agent calls. */
export function measureCommits(registry: MetricsRegistry): NonNullable<GroupedWritesDeps<never>["onCommit"]> {
  const duration = createHistogram(registry, "task_commit_duration_seconds");
  const writes = createCounter(registry, "task_writes_total");
  return ({ jobs, durationMs }) => {
    duration.observe({}, durationMs / 1_000);
    writes.add({}, jobs);
  };
}

/** Maximum number of ends in one commit. */
const mostEnds = 100;

export function createGroupedWrites<Own extends string>(deps: GroupedWritesDeps<Own>): GroupedWrites<Own> {
  const { database, lease, schema, group, onCommit } = deps;
  const statements = jobStatements(schema, database.engine);
  const writeWith = createWriteWith(database, onCommit);

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

  const end = group(
    async (units: readonly EndingUnit<Own>[]) => {
      const jobs = units.flatMap((unit) => unit.jobs);
      const rows = jobs.map((one) => endRow(schema, one.leaseId, { ...one, owner: lease.owner }));
      const statement = jobs.some(({ notifies }) => notifies) ? statements.endNotifying : statements.end;
      const { changed } = await writeWith(statement, rows, { others: units.flatMap(({ also }) => also) });
      const ended = changed.values();
      return units.map((unit) => unit.jobs.map(() => ended.next().value === true));
    },
    { most: mostEnds, sizeOf: ({ jobs }) => jobs.reduce((sum, one) => sum + (one.end.output?.length ?? 0), 0) },
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

  const [add, addUnflushed] = [adder(false), adder(true)];
  return {
    add: (added) => (added.unflushed === true ? addUnflushed(added) : add(added)),
    end,
    set: async ({ id, attempt }, values, also = []) => {
      const row = { id, attempt, owner: lease.owner, ...(values as Record<string, string | number | null>) };
      const columns = Object.keys(values);
      if (also.length === 0) return setterOf(columns)(row);
      const { changed } = await database.writeWith(statements.set(columns), [row], also);
      return changed[0] === true;
    },
  };
}

/** Writes rows, with further statements in the same commit. */
type WriteWith = (
  statement: WriteStatement<string>,
  rows: readonly WriteRow<string>[],
  more: { readonly others: readonly CompiledQuery[]; readonly unflushed?: boolean },
) => Promise<WrittenWith>;

function createWriteWith(database: Database<JobTables>, onCommit: GroupedWritesDeps<never>["onCommit"]): WriteWith {
  const measured = async <T>(jobs: number, write: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const done = await write;
    onCommit?.({ jobs, durationMs: performance.now() - startedAt });
    return done;
  };
  // One statement is cheaper than a transaction of several.
  return async (statement, rows, { others, unflushed = false }) => {
    if (others.length > 0) return measured(rows.length, database.writeWith(statement, rows, others));
    return { changed: await measured(rows.length, database.write(statement, rows, { unflushed })), results: [] };
  };
}
