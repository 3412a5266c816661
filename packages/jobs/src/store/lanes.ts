import {
  createGroupCommit,
  now,
  prepare,
  retryBriefly,
  rowsStatement,
  type RowsStatement,
  type WriteRow,
} from "@crosszone/sql";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { type JobState, jobStates, type LeaseId, type NewJob, type OwnValues } from "../table/job-tables.ts";
import { insertColumns, insertRow } from "../table/job-texts.ts";
import { deleteLeased, enterText, headlessLanes, lockLanes, parkLeased, promoteHeads } from "./job-statements.ts";
import type { JobStoreOptions } from "./grouped-writes.ts";
import type { TakeMarks } from "./take-jobs.ts";

export interface LaneJob extends LeaseId {
  readonly lane: string;
}

/** A job to remove, with what is stored in the same commit. */
type RemovedJob = LeaseId & { readonly also: readonly CompiledQuery[] };

/** How a job entered its lane. */
export type Entered = NewJob["as"] | "behind";

/** What is stored with a job that enters its lane. */
interface EnteringWith {
  /** The columns of the store's guard. */
  readonly columns?: WriteRow<string>;
  /** No two jobs with one of these names, or of one lane, are stored at the same time. */
  readonly locks?: readonly string[];
  /** Rows of a statement that follows in the same transaction, whether or not the job was stored. */
  readonly after?: { readonly statement: RowsStatement<string>; readonly rows: readonly WriteRow<string>[] };
}

interface Entering extends EnteringWith {
  readonly row: WriteRow<string>;
  /** Its lane and its locks. */
  readonly names: readonly string[];
}

interface UnparkingWith {
  readonly also?: readonly CompiledQuery[];
  readonly only?: RawBuilder<unknown>;
}

/** Maximum number of jobs in one commit. */
const most = 100;

const entered: Readonly<Partial<Record<JobState, Entered>>> = { 0: "ready", 1: "leased", 2: "behind", 3: "waiting" };

/** The lanes of a store. A lane whose head is removed or parked gets the next one in the same transaction. */
export class Lanes<Own extends string> {
  readonly #options: JobStoreOptions<Own>;
  readonly #marks: TakeMarks;
  readonly #insert: RowsStatement<string>;
  readonly #entering: (job: Entering) => Promise<Entered | undefined>;
  readonly #removing: (job: RemovedJob) => Promise<boolean>;

  constructor(options: JobStoreOptions<Own>, marks: TakeMarks) {
    const { schema, guard } = options;
    this.#options = options;
    this.#marks = marks;
    this.#insert = rowsStatement<string>({
      columns: { ...insertColumns(schema), ...guard?.columns },
      text: (rows, engine) => enterText(schema, rows, { engine, refused: guard?.refused ?? "false" }),
    });
    // Jobs of one lane, or with one lock, see each other only in different transactions.
    const sizeOf = ({ row: { input } }: Entering): number => String(input ?? "").length;
    const apart = { most, sizeOf, keysOf: ({ names }: Entering) => names, areApart: true };
    this.#entering = createGroupCommit((jobs: readonly Entering[]) => this.#enterAll(jobs), apart);
    this.#removing = createGroupCommit((jobs: readonly RemovedJob[]) => this.#removeAll(jobs), { most });
  }

  /**
   * Stores a job in one round trip, which is not retried; concurrent calls share a commit. Resolves with undefined if the guard refuses it, or
   * if its id or its key exists.
   */
  enter(
    job: NewJob<Own> & { readonly lane: string },
    { columns, locks = [], after }: EnteringWith = {},
  ): Promise<Entered | undefined> {
    const { lease, schema } = this.#options;
    const row = { ...insertRow(schema, job, lease.owner), ...columns };
    return this.#entering({ row, after, names: [job.lane, ...locks] });
  }

  /**
   * Ends and deletes a job; concurrent calls share a commit. A power loss may undo it for a job without a lane. Returns false when the lease
   * is lost.
   */
  remove(job: LeaseId, also: readonly CompiledQuery[] = []): Promise<boolean> {
    // An earlier call may have ended it, and its response was lost.
    return retryBriefly(async () => (await this.#removing({ ...job, also })) || this.#wasRemovedHere(job));
  }

  /** Parks a job, with values for an operator; its lane goes on without it. Returns false when the lease is lost. */
  park(job: LaneJob, values: OwnValues<Own>, also?: readonly CompiledQuery[]): Promise<boolean> {
    const { database, lease } = this.#options;
    const parking = parkLeased(database.engine, lease.owner, { job, set: values as WriteRow<string> });
    return retryBriefly(async () => (await this.#change([job.lane], parking, also)).length > 0);
  }

  /**
   * Returns a parked job to its place in its lane, as if it had never been leased. `also` is stored in the same commit, before `only` decides.
   * Returns false if no parked job has this id.
   */
  unpark(id: string, { also, only = sql`true` }: UnparkingWith = {}): Promise<boolean> {
    const { database, schema } = this.#options;
    const { db, engine } = database;
    const isParked = sql`id = ${id} and state = ${sql.lit(jobStates.parked)}`;
    const uncounted = schema.uncounted === undefined ? sql`` : sql`, ${sql.ref(schema.uncounted)} = attempt`;
    const back = sql<{ readonly id: string }>`
      update job set state = ${sql.lit(jobStates.behind)}, due_at = ${now(engine)}, ended_at = null${uncounted}
      where ${isParked} and ${only} returning id`;
    return retryBriefly(async () => {
      const { rows } = await sql<{ readonly lane: string }>`select lane from job where ${isParked}`.execute(db);
      const [job] = rows;
      return job !== undefined && (await this.#change([job.lane], back, also)).length > 0;
    });
  }

  /** Deletes a parked job, as `unpark` returns one. */
  discard(id: string, { also = [], only = sql`true` }: UnparkingWith = {}): Promise<boolean> {
    const { db, batch } = this.#options.database;
    const isParked = sql`id = ${id} and state = ${sql.lit(jobStates.parked)}`;
    const deleting = sql`delete from job where ${isParked} and ${only} returning id`.compile(db);
    return retryBriefly(async () => ((await batch([...also, deleting])).at(-1)?.rows.length ?? 0) > 0);
  }

  /** Gives each lane without a head one, in case one was lost. Returns how many. */
  heal(): Promise<number> {
    return retryBriefly(async () => {
      const { rows } = await headlessLanes.execute(this.#options.database.db);
      const lanes = rows.map(({ lane }) => lane);
      if (lanes.length > 0) await this.#change(lanes, sql`select lane from job where false`);
      return lanes.length;
    });
  }

  /** Jobs that keep their place have become ready in another process: takes find them. */
  lookAtFront(): void {
    this.#marks.clear();
  }

  /** Returns the statements that lock lanes and other names until the end of their transaction; none on SQLite. */
  #locking(names: readonly string[]): readonly CompiledQuery[] {
    const { engine, db } = this.#options.database;
    return engine === "postgres" ? [lockLanes(names).compile(db)] : [];
  }

  /** Runs a change and promotes new heads, in one round trip. Returns the rows of the change. */
  async #change<Row>(
    lanes: readonly string[],
    changing: RawBuilder<Row>,
    also: readonly CompiledQuery[] = [],
  ): Promise<readonly Row[]> {
    const { database, onPromoted } = this.#options;
    const { db, engine, batch } = database;
    const promoting = promoteHeads(engine, lanes).compile(db);
    const statements = [...this.#locking(lanes), ...also, changing.compile(db), promoting];
    for (const { sql: text } of statements) prepare(text);
    const results = await batch(statements);
    const promoted = results.at(-1)?.rows as readonly { readonly share: string }[];
    if (promoted.length > 0) {
      this.#marks.clear();
      onPromoted?.(new Set(promoted.map(({ share }) => share)));
    }
    return results.at(-2)?.rows as readonly Row[];
  }

  async #enterAll(jobs: readonly Entering[]): Promise<readonly (Entered | undefined)[]> {
    const { engine, batch } = this.#options.database;
    const first = this.#locking(jobs.flatMap(({ names }) => names));
    const insert = this.#insert.query(
      engine,
      jobs.map(({ row }) => row),
    );
    const after = Map.groupBy(
      jobs.flatMap((job) => job.after ?? []),
      ({ statement }) => statement,
    );
    const rest = [...after].map(([statement, all]) =>
      statement.query(
        engine,
        all.flatMap(({ rows }) => rows),
      ),
    );
    const results = await batch([...first, insert, ...rest]);
    const stored = (results[first.length]?.rows ?? []) as readonly { readonly id: string; readonly state: JobState }[];
    const states = new Map(stored.map(({ id, state }) => [id, entered[state]]));
    return jobs.map(({ row: { id } }) => states.get(String(id)));
  }

  async #removeAll(jobs: readonly RemovedJob[]): Promise<readonly boolean[]> {
    const { database, lease } = this.#options;
    const deleting = deleteLeased(database.engine, lease.owner, jobs);
    const lanes = jobs.flatMap(({ lane }) => lane ?? []);
    const also = jobs.flatMap((job) => job.also);
    const unlaned = database.unflushed;
    const rows =
      lanes.length > 0 ? await this.#change(lanes, deleting, also) : (await unlaned((db) => deleting.execute(db))).rows;
    const ids = new Set(rows.map(({ id }) => id));
    return jobs.map(({ id }) => ids.has(id));
  }

  /** Whether a job is gone that this process had leased: while its lease lasts, no other process can have ended it. */
  async #wasRemovedHere({ id }: LeaseId): Promise<boolean> {
    const { database, lease } = this.#options;
    const isGone = sql<boolean>`not exists (select 1 from job where id = ${id})`;
    const leases = database.db.selectFrom("job_worker").select("owner").where("owner", "=", lease.owner).where(isGone);
    return (await leases.executeTakeFirst()) !== undefined;
  }
}
