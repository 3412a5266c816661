import {
  createGroupCommit,
  type Database,
  type Engine,
  nowText,
  type WriteRow,
  type WriteStatement,
  writeStatement,
  type WrittenWith,
} from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import { notifying } from "../table/job-events.ts";
import {
  type JobEnd,
  type JobSchema,
  jobStates,
  type JobTables,
  type LeaseId,
  type NewJob,
  type NewMessage,
  type OwnValues,
} from "../table/job-tables.ts";
import { endColumns, endRow, insertRow, isLeasedText, leaseColumns, resultText } from "../table/job-texts.ts";
import type { JobLease } from "./job-lease.ts";
import { jobStatements, type LaneGuard } from "./job-statements.ts";
import { type SentWith, storeMessages } from "./outbox.ts";

/** The end of a job that this process has leased. */
export interface EndingJob<Own extends string = never> {
  readonly leaseId: LeaseId;
  readonly end: JobEnd<Own>;
  /** Whether another process waits for it: PostgreSQL notifies it at once. */
  readonly notifies?: boolean;
  /** Leaves when the end is stored. */
  readonly message?: NewMessage;
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

/** How a process stores jobs. */
export interface JobStoreOptions<Own extends string> {
  readonly database: Database<JobTables>;
  readonly lease: { readonly owner: string; readonly settleClock?: JobLease["settleClock"] };
  readonly schema: JobSchema<Own>;
  /** Lets concurrent writes share a commit; `createGroupCommit` when absent. */
  readonly group?: typeof createGroupCommit;
  /** New or ended jobs were written together, in `durationMs` milliseconds. Must not throw. */
  readonly onCommit?: (group: { readonly jobs: number; readonly durationMs: number }) => void;
  /** Called with the shares of jobs that have become heads of their lanes. */
  readonly onPromoted?: (shares: ReadonlySet<string>) => void;
  /** Jobs with a lane that may not enter it; none when absent. */
  readonly guard?: LaneGuard;
}

/** Maximum number of ends in one commit. */
const mostEnds = 100;

/** Writes whose concurrent calls share a commit. None is retried. */
export class GroupedWrites<Own extends string> {
  readonly #options: JobStoreOptions<Own>;
  readonly #statements: ReturnType<typeof jobStatements>;
  readonly #adding: (added: AddedJob<Own>) => Promise<AddedReading>;
  readonly #addingUnflushed: (added: AddedJob<Own>) => Promise<AddedReading>;
  readonly #ending: (unit: EndingUnit<Own>) => Promise<readonly boolean[]>;
  readonly #passingOn: (row: WriteRow<string>) => Promise<boolean>;
  readonly #setters = new Map<string, (row: WriteRow<string>) => Promise<boolean>>();

  constructor(options: JobStoreOptions<Own>) {
    const { database, schema, group = createGroupCommit } = options;
    this.#options = options;
    this.#statements = jobStatements(schema, database.engine);
    const passOn = passOnStatement(schema, database.engine);
    const sizeOf = ({ job: { input, record } }: AddedJob<Own>): number => record.length + (input?.length ?? 0);
    this.#adding = group((added) => this.#addAll(added, false), { sizeOf });
    this.#addingUnflushed = group((added) => this.#addAll(added, true), { sizeOf });
    this.#ending = group((units) => this.#endAll(units), {
      most: mostEnds,
      sizeOf: ({ jobs }) => jobs.reduce((sum, one) => sum + (one.end.output?.length ?? 0), 0),
    });
    this.#passingOn = group((rows: readonly WriteRow<string>[]) => database.write(passOn, rows), {
      sizeOf: ({ output }) => String(output ?? "").length,
    });
  }

  add(added: AddedJob<Own>): Promise<AddedReading> {
    return added.unflushed === true ? this.#addingUnflushed(added) : this.#adding(added);
  }

  /** Returns for each job whether this process had leased it. */
  end(unit: EndingUnit<Own>): Promise<readonly boolean[]> {
    return this.#ending(unit);
  }

  /** Sets columns of a leased job. With statements of `also`, which belong to its transaction, it has a commit of its own. */
  async set({ id, attempt }: LeaseId, values: OwnValues<Own>, also: readonly CompiledQuery[] = []): Promise<boolean> {
    const { database, lease, group = createGroupCommit } = this.#options;
    const row = { id, attempt, owner: lease.owner, ...(values as WriteRow<string>) };
    const columns = Object.keys(values);
    if (also.length > 0) {
      const { changed } = await database.writeWith(this.#statements.set(columns), [row], also);
      return changed[0] === true;
    }
    const setter = this.#setters.getOrInsertComputed(columns.join(" "), () => {
      const statement = this.#statements.set(columns);
      return group((rows: readonly WriteRow<string>[]) => database.write(statement, rows));
    });
    return setter(row);
  }

  /** Stores the end of leased work as the job's result, and passes the job on. Returns false when the lease is lost. */
  passOn(leaseId: LeaseId, end: JobEnd<Own>, { kind, share, as, attempt }: NextWork): Promise<boolean> {
    const { schema, lease } = this.#options;
    const next = {
      next_kind: kind ?? null,
      next_share: share,
      next_state: jobStates[as],
      next_attempt: attempt ?? null,
    };
    return this.#passingOn({ ...endRow(schema, leaseId, { owner: lease.owner, end }), ...next });
  }

  async #addAll(added: readonly AddedJob<Own>[], unflushed: boolean): Promise<readonly AddedReading[]> {
    const { schema, lease } = this.#options;
    const rows = added.map(({ job }) => insertRow(schema, job, lease.owner));
    const { insert, insertReady } = this.#statements;
    const statement = added.some(({ job }) => job.as === "ready") ? insertReady : insert;
    const sent = added.flatMap(({ job: { id, message } }) => (message ? { message, job: { id } } : []));
    const others = [...added.flatMap(({ query }) => query ?? []), ...this.#storeMessages(sent)];
    const { changed, results } = await this.#write(statement, rows, { others, unflushed });
    const read = results.values();
    return added.map(({ query }, index) => ({
      isNew: changed[index] === true,
      rows: query === undefined ? [] : (read.next().value?.rows ?? []),
    }));
  }

  async #endAll(units: readonly EndingUnit<Own>[]): Promise<readonly (readonly boolean[])[]> {
    const { schema, lease } = this.#options;
    const jobs = units.flatMap((unit) => unit.jobs);
    const rows = jobs.map((one) => endRow(schema, one.leaseId, { ...one, owner: lease.owner }));
    const statement = jobs.some(({ notifies }) => notifies) ? this.#statements.endNotifying : this.#statements.end;
    const sent = jobs.flatMap(({ leaseId, message }) => (message ? { message, job: leaseId } : []));
    const others = [...units.flatMap(({ also }) => also), ...this.#storeMessages(sent)];
    const { changed } = await this.#write(statement, rows, { others });
    const ended = changed.values();
    return units.map((unit) => unit.jobs.map(() => ended.next().value === true));
  }

  #storeMessages(sent: readonly SentWith[]): readonly CompiledQuery[] {
    const { database, lease } = this.#options;
    return sent.length === 0 ? [] : [storeMessages(database.engine, lease.owner, sent)];
  }

  /** Writes rows, with further statements in the same commit. One statement is cheaper than a transaction of several. */
  async #write(
    statement: WriteStatement<string>,
    rows: readonly WriteRow<string>[],
    { others, unflushed = false }: { readonly others: readonly CompiledQuery[]; readonly unflushed?: boolean },
  ): Promise<WrittenWith> {
    const { database, onCommit } = this.#options;
    const startedAt = performance.now();
    const written =
      others.length > 0
        ? await database.writeWith(statement, rows, others)
        : { changed: await database.write(statement, rows, { unflushed }), results: [] };
    onCommit?.({ jobs: rows.length, durationMs: performance.now() - startedAt });
    return written;
  }
}

interface WaitingEnd<Own extends string> {
  readonly ending: EndingJob<Own>;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (isLeased: boolean | Promise<boolean>) => void;
}

/** How long the end of a child waits for that of its parent, milliseconds. */
const togetherMs = 20;

/** Ends of children, which share the commit of their parent's end when both end at about the same time. */
export class WaitingEnds<Own extends string> {
  readonly #endJobs: WaitingEnds<Own>["end"];
  readonly #waiting = new Map<string, Set<WaitingEnd<Own>>>();

  constructor(endJobs: WaitingEnds<Own>["end"]) {
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

/** What a job becomes when the work on it has ended, and other work with its result begins. */
export interface NextWork {
  /** The kind of the job from now on; the same when absent. */
  readonly kind?: string;
  readonly share: string;
  /** `leased`: this process keeps the lease. `ready`: any process may take the job. */
  readonly as: "ready" | "leased";
  /** How often the job counts as leased from now on; the same when absent. */
  readonly attempt?: number;
}

function passOnStatement<Own extends string>(schema: JobSchema<Own>, engine: Engine): WriteStatement<string> {
  const now = nowText[engine];
  // A job that already has the new kind was passed on before: a later lease of it may look the same.
  const text = (rows: string): string => `
    update job set kind = coalesce(new.next_kind, job.kind), share = new.next_share, state = new.next_state,
      owner = case when new.next_state = ${jobStates.leased} then job.owner end,
      attempt = coalesce(new.next_attempt, job.attempt), due_at = ${now}, ended_at = ${now}, ${resultText(schema)}
    from ${rows} where ${isLeasedText} and (new.next_kind is null or job.kind <> new.next_kind)`;
  return writeStatement<string>({
    table: "job",
    key: "id",
    columns: {
      ...leaseColumns,
      ...endColumns(schema),
      next_kind: "text",
      next_share: "text",
      next_state: "bigint",
      next_attempt: "bigint",
    },
    text,
    postgresText: (rows) =>
      notifying(`${text(rows)} returning job.id, job.share, job.state`, {
        payload: "share",
        where: `state = ${jobStates.ready}`,
      }),
    locksInOrder: true,
  });
}
