import { notifyText, now, type QueryRunner, retryBriefly } from "@crosszone/sql";
import { type CompiledQuery, sql, type Transaction } from "kysely";
import { endedPrefix, jobChannel } from "../table/job-events.ts";
import {
  type FoundJob,
  type JobEnd,
  type JobReadings,
  jobStates,
  type JobTables,
  type LeasedJob,
  type LeaseId,
  type LostJob,
  type NewJob,
  type OwnValues,
  type WantedJobs,
} from "../table/job-tables.ts";
import { emptiedText } from "../table/job-texts.ts";
import type { Batch, BatchStatement, WrittenBatch } from "./batch.ts";
import {
  type AddedReading,
  type EndingJob,
  GroupedWrites,
  type JobStoreOptions,
  type NextWork,
  WaitingEnds,
} from "./grouped-writes.ts";
import { createJobQueries, jobStatements } from "./job-statements.ts";
import { Lanes } from "./lanes.ts";
import { Outbox } from "./outbox.ts";
import { Outside } from "./outside.ts";
import { findLost, readJobs } from "./read-jobs.ts";
import { findWaitingShares, TakeMarks, takeJobs } from "./take-jobs.ts";

/**
 * Stores jobs for one process; others may share the database. Only the process that has leased a job changes it. Every method is safe to
 * repeat after a lost response. While the database is unreachable, methods retry for a second, then reject with its error.
 *
 * A job with a lane runs after the jobs that entered its lane before it. The first job of a lane is its head; the others are behind it,
 * whatever it waits for, until it is removed or parked (`lanes.ts`). Concurrent arrivals share a commit, and so do concurrent ends.
 */
export class JobStore<Own extends string = never> {
  /** What jobs with a lane need besides. */
  readonly lanes: Lanes<Own>;
  readonly queries: ReturnType<typeof createJobQueries<Own>>;
  /** What jobs need besides that something outside this database may end. */
  readonly outside: Outside<Own>;
  /** Of a schema whose jobs send messages. */
  readonly outbox: Outbox;
  readonly #options: JobStoreOptions<Own>;
  readonly #statements: ReturnType<typeof jobStatements>;
  readonly #writes: GroupedWrites<Own>;
  /** A job that is promoted or released in its lane keeps its time, and with it its place before others. */
  readonly #marks: TakeMarks;
  readonly #children: WaitingEnds<Own>;

  constructor(options: JobStoreOptions<Own>) {
    const { database, schema } = options;
    this.#options = options;
    this.#statements = jobStatements(schema, database.engine);
    this.queries = createJobQueries(schema, database.engine);
    this.#writes = new GroupedWrites(options);
    this.#marks = new TakeMarks(database.engine);
    this.lanes = new Lanes(options, this.#marks);
    this.outside = new Outside(options);
    this.outbox = new Outbox(database, () => this.owner());
    this.#children = new WaitingEnds((jobs, also) => this.#end(jobs, also));
  }

  /** Identifies this process in its leases. */
  owner(): string {
    return this.#options.lease.owner;
  }

  /**
   * Stores a job without a lane. Returns false when its id or its key exists. `unflushed`: a power loss may undo it, for a job that is
   * added again by what it belongs to.
   */
  async add(job: NewJob<Own>, options?: { readonly unflushed?: boolean }): Promise<boolean> {
    return (await retryBriefly(() => this.#writes.add({ job, ...options }))).isNew;
  }

  /** Stores a job as `add` does, and runs a query in the same round trip. */
  addReading(job: NewJob<Own>, query: CompiledQuery): Promise<AddedReading> {
    return retryBriefly(() => this.#writes.add({ job, query }));
  }

  /** As `JobLease.settleClock`. */
  async settleClock(how?: { readonly asks?: boolean }): Promise<void> {
    await this.#options.lease.settleClock?.(how);
  }

  /** Returns the shares of a kind with jobs to take, longest waiting first. */
  waitingShares(kind: string): Promise<readonly string[]> {
    return retryBriefly(() => findWaitingShares(this.#options.database, kind));
  }

  /** Leases jobs to this process, longest waiting first. */
  async take(wanted: readonly WantedJobs[]): Promise<readonly LeasedJob<Own>[]> {
    const { database, schema } = this.#options;
    const how = { own: Object.keys(schema.own), marks: this.#marks, owner: this.owner() };
    await this.settleClock();
    const taken = await retryBriefly(() => takeJobs<Own>(database, wanted, how));
    this.#marks.taken(wanted, taken);
    return taken;
  }

  /**
   * Ends jobs together, in one commit, which many calls share, with those of their children that `endChild` holds. Returns for each whether
   * this process had leased it, or had ended it before with the same outcome and a lost response. `also`: statements in the same commit,
   * which may be repeated.
   */
  end(jobs: readonly EndingJob<Own>[], also: readonly CompiledQuery[] = []): Promise<readonly boolean[]> {
    return this.#children.end(jobs, also);
  }

  /** Stores the end of a child with its parent's if that follows within milliseconds. Resolves with whether the child was leased. */
  endChild(parent: string, ending: EndingJob<Own>): Promise<boolean> {
    return this.#children.hold(parent, ending);
  }

  async #end(jobs: readonly EndingJob<Own>[], also: readonly CompiledQuery[]): Promise<readonly boolean[]> {
    const ended = await retryBriefly(() => this.#writes.end({ jobs, also }));
    if (ended.every(Boolean)) return ended;
    // The commit may have been done, and its response lost.
    const rest = jobs.filter((_, index) => !ended[index]);
    const before = await retryBriefly(() => this.#endedHere(rest));
    return ended.map((isEnded, index) => isEnded || before.has(jobs[index] as EndingJob<Own>));
  }

  /** Returns those of the ends that this process has stored. */
  async #endedHere(endings: readonly EndingJob<Own>[]): Promise<ReadonlySet<EndingJob<Own>>> {
    const ids = endings.map(({ leaseId }) => leaseId.id);
    const found = this.#options.database.db
      .selectFrom("job")
      .select(["id", "attempt", "outcome"])
      .where("id", "in", ids);
    const rows = await found.where("owner", "=", this.owner()).where("state", "=", jobStates.ended).execute();
    const isStored = ({ leaseId, end }: EndingJob<Own>): boolean =>
      rows.some(
        ({ id, attempt, outcome }) => id === leaseId.id && attempt === leaseId.attempt && outcome === end.outcome,
      );
    return new Set(endings.filter(isStored));
  }

  /** Ends a job, whichever process has leased it. Returns it as it was; undefined when it had ended or does not exist. */
  async endOpen(id: string, end: JobEnd<Own>): Promise<LeasedJob<Own> | undefined> {
    const { database, schema } = this.#options;
    const { db, engine } = database;
    const values: Readonly<Record<string, string | number | null | undefined>> = end.own ?? {};
    const sets = schema.ended.map((name) => sql`${sql.ref(name)} = ${values[name] ?? null}, `);
    const own = Object.keys(schema.own).map((name) => sql`, ${sql.ref(name)}`);
    const ending = sql<LeasedJob<Own>>`
      update job set state = 4, owner = null, ended_at = ${now(engine)}, outcome = ${end.outcome}, output = ${end.output},
        ${sql.join(sets, sql``)}${sql.raw(emptiedText(schema))}
      where id = ${id} and state < 4
      returning id, kind, share, attempt, parent, team, record, input, output${sql.join(own, sql``)},
        deadline_at - ${now(engine)} as remaining_ms, ended_at - created_at as waited_ms,
        ${sql.raw(notifyText(engine, jobChannel, `'${endedPrefix}' || id`))} as notified`;
    return (await retryBriefly(() => ending.execute(db))).rows[0];
  }

  /**
   * Stores the end of a leased job's work as its result, and passes the job on: to other work of this process, or to any process. Concurrent
   * calls share a commit. Returns false when the lease is lost, or when an earlier call has changed the job's kind or its lease.
   */
  passOn(leaseId: LeaseId, end: JobEnd<Own>, next: NextWork): Promise<boolean> {
    return retryBriefly(() => this.#writes.passOn(leaseId, end, next));
  }

  /**
   * Makes jobs ready for any process after `afterMs` (default 0), in their place in their lanes. `counted`: whether the attempt counts.
   * Returns for each whether it was leased.
   */
  release(
    leases: readonly LeaseId[],
    { counted, afterMs = 0 }: { readonly counted: boolean; readonly afterMs?: number },
  ): Promise<readonly boolean[]> {
    const { database, schema } = this.#options;
    return retryBriefly(async () => {
      const how = { owner: this.owner(), after_ms: Math.round(afterMs), counted: Number(counted) };
      const rows = leases.map(({ id, attempt }) => ({ id, attempt, ...how }));
      const released = rows.length === 0 ? [] : await database.write(this.#statements.release, rows);
      if (schema.uncounted !== undefined) this.#marks.clear();
      return released;
    });
  }

  /**
   * Sets own columns of a job; concurrent calls share a commit. `also`: statements in the same transaction. Returns false when the lease is
   * lost.
   */
  set(leaseId: LeaseId, values: OwnValues<Own>, also?: readonly CompiledQuery[]): Promise<boolean> {
    return retryBriefly(() => this.#writes.set(leaseId, values, also));
  }

  /** Replaces the input of a job that no process has had, if it is still `from`: one conditional update. Returns whether it did. */
  amend(id: string, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> {
    const { ready, behind } = jobStates;
    const amending = this.#options.database.db.updateTable("job").set({ input: to }).where("id", "=", id);
    const untouched = amending.where("attempt", "=", 0).where("state", "in", [ready, behind]).where("input", "=", from);
    return retryBriefly(async () => (await untouched.executeTakeFirst()).numUpdatedRows > 0n);
  }

  /**
   * Changes units of other tables and their jobs, each unit as a whole or not at all; one round trip on PostgreSQL. `transaction`: the one to
   * write in. Not retried.
   */
  batch<Unit extends string, Part extends string>(
    { postgres, sqlite }: BatchStatement<Own, Unit, Part>,
    batch: Batch<Own, Unit, Part>,
    transaction?: QueryRunner,
  ): Promise<WrittenBatch> {
    const { engine, prepared, transaction: within } = this.#options.database;
    if (engine === "postgres") return postgres(transaction ?? prepared, batch, this.owner());
    if (transaction) return sqlite(transaction as Transaction<JobTables>, batch, this.owner());
    return within((locked) => sqlite(locked, batch, this.owner()));
  }

  /** Returns a job, whichever process has leased it, and how it ended; undefined when it does not exist. */
  find(id: string): Promise<FoundJob | undefined> {
    const jobs = this.#options.database.db.selectFrom("job").where("id", "=", id);
    return retryBriefly(() => jobs.select(["state", "attempt", "record", "outcome", "output"]).executeTakeFirst());
  }

  /** Returns the leases of this process on jobs of a kind's shares. */
  leases(kind: string): Promise<readonly LeaseId[]> {
    const jobs = this.#options.database.db.selectFrom("job").select(["id", "attempt"]);
    const leases = jobs.where("owner", "=", this.owner()).where("state", "=", jobStates.leased);
    return retryBriefly(() => leases.where("share", ">=", kind).where("share", "<", `${kind}!`).execute());
  }

  /** Returns those that this process has lost. `transaction`: the one to read in, without a retry. */
  lost(leases: readonly LeaseId[], transaction?: QueryRunner): Promise<readonly LostJob[]> {
    const { db } = this.#options.database;
    const find = (): Promise<readonly LostJob[]> => findLost(db, leases, { owner: this.owner(), transaction });
    return transaction === undefined ? retryBriefly(find) : find();
  }

  /** Deletes jobs of a kind that ended more than `retentionMs` ago, `most` at most. Returns how many. */
  async forget(kind: string, retentionMs: number, most: number): Promise<number> {
    const { db, engine } = this.#options.database;
    const old = sql`kind = ${kind} and state = 4 and ended_at < (select ${now(engine)} - ${retentionMs})`;
    const forgetting = sql`
      delete from job where sequence in (
        select sequence from job where ${old} order by ended_at limit ${sql.lit(most)}) and ${old}`;
    const { numAffectedRows = 0n } = await retryBriefly(() => forgetting.execute(db));
    return Number(numAffectedRows);
  }

  readings(kind: string): Promise<JobReadings> {
    return retryBriefly(() => readJobs(this.#options.database, kind));
  }
}
