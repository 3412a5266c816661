import type { createGroupCommit, Database, WriteRow, WriteStatement, WrittenWith } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { JobSchema, JobTables } from "../table/job-tables.ts";
import { endRow, insertRow } from "../table/job-texts.ts";
import type { JobEnd, LeaseId, NewJob, OwnValues } from "../table/job.ts";
import { jobStatements } from "./job-statements.ts";

/** The end of a job that this process has leased. */
export interface EndingJob<Own extends string = never> {
  readonly leaseId: LeaseId;
  readonly end: JobEnd<Own>;
  /** Whether another process waits for it: PostgreSQL notifies it at once. */
  readonly notifies?: boolean;
}

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
  readonly lease: { readonly owner: string };
  readonly schema: JobSchema<Own>;
  readonly group: typeof createGroupCommit;
  /** New or ended jobs were written together, in `durationMs` milliseconds. Must not throw. */
  readonly onCommit?: (group: { readonly jobs: number; readonly durationMs: number }) => void;
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

/** Returns a function that writes rows, with further statements in the same commit. */
function createWriteWith(database: Database<JobTables>, onCommit: GroupedWritesDeps<never>["onCommit"]) {
  const measured = async <T>(jobs: number, write: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const done = await write;
    onCommit?.({ jobs, durationMs: performance.now() - startedAt });
    return done;
  };
  // One statement is cheaper than a transaction of several.
  return async (
    statement: WriteStatement<string>,
    rows: readonly WriteRow<string>[],
    { others, unflushed = false }: { readonly others: readonly CompiledQuery[]; readonly unflushed?: boolean },
  ): Promise<WrittenWith> => {
    if (others.length > 0) return measured(rows.length, database.writeWith(statement, rows, others));
    return { changed: await measured(rows.length, database.write(statement, rows, { unflushed })), results: [] };
  };
}

/** Ends jobs in one commit. Returns for each whether it was leased. */
type EndJobs<Own extends string> = (
  jobs: readonly EndingJob<Own>[],
  also: readonly CompiledQuery[],
) => Promise<readonly boolean[]>;

interface WaitingEnd<Own extends string> {
  readonly ending: EndingJob<Own>;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (isLeased: boolean | Promise<boolean>) => void;
}

/** How long the end of a child waits for that of its parent, milliseconds. */
const togetherMs = 20;

/** Ends of children, which share the commit of their parent's end when both end at about the same time. */
export class WaitingEnds<Own extends string> {
  readonly #endJobs: EndJobs<Own>;
  readonly #waiting = new Map<string, Set<WaitingEnd<Own>>>();

  constructor(endJobs: EndJobs<Own>) {
    this.#endJobs = endJobs;
  }

  /** Holds the end of a child for that of its parent, for some milliseconds. Resolves with whether it was leased. */
  hold(parent: string, ending: EndingJob<Own>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const ofParent = this.#waiting.get(parent);
        ofParent?.delete(one);
        if (ofParent?.size === 0) this.#waiting.delete(parent);
        resolve(this.#endJobs([ending], []).then(([isLeased = false]) => isLeased));
      }, togetherMs);
      const one: WaitingEnd<Own> = { ending, timer, resolve };
      this.#waiting.set(parent, (this.#waiting.get(parent) ?? new Set()).add(one));
    });
  }

  /** Ends jobs with the held ends of their children. */
  async end(jobs: readonly EndingJob<Own>[], also: readonly CompiledQuery[]): Promise<readonly boolean[]> {
    const children = jobs.flatMap(({ leaseId: { id } }) => {
      const ofJob = [...(this.#waiting.get(id) ?? [])];
      this.#waiting.delete(id);
      return ofJob;
    });
    for (const { timer } of children) clearTimeout(timer);
    const stored = this.#endJobs([...jobs, ...children.map(({ ending }) => ending)], also);
    // Each child retries by itself when the commit fails.
    for (const [index, { resolve }] of children.entries())
      resolve(stored.then((ended) => ended[jobs.length + index] ?? false));
    return (await stored).slice(0, jobs.length);
  }
}
