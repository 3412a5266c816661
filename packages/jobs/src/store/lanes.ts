import { createGroupCommit, now, retryBriefly, rowsStatement, type RowsStatement, type WriteRow } from "@crosszone/sql";
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
  /** Statements that follow in the same transaction, whether or not the job was stored. */
  readonly after?: readonly CompiledQuery[];
}

/** Maximum number of ends in one commit. */
const mostEnds = 100;

const entered: Readonly<Partial<Record<JobState, Entered>>> = { 0: "ready", 1: "leased", 2: "behind", 3: "waiting" };

/** The lanes of a store. A lane whose head is removed or parked gets the next one in the same transaction. */
export class Lanes<Own extends string> {
  readonly #options: JobStoreOptions<Own>;
  readonly #marks: TakeMarks;
  readonly #entering: RowsStatement<string>;
  readonly #removing: (job: RemovedJob) => Promise<boolean>;

  constructor(options: JobStoreOptions<Own>, marks: TakeMarks) {
    const { schema, guard } = options;
    this.#options = options;
    this.#marks = marks;
    this.#entering = rowsStatement<string>({
      columns: { ...insertColumns(schema), ...guard?.columns },
      text: (rows, engine) => enterText(schema, rows, { engine, refused: guard?.refused ?? "false" }),
    });
    this.#removing = createGroupCommit((jobs: readonly RemovedJob[]) => this.#removeAll(jobs), { most: mostEnds });
  }

  /**
   * Stores a job in one round trip, which is not retried. Resolves with undefined if the guard refuses it, or if its id or its key exists.
   */
  async enter(
    job: NewJob<Own> & { readonly lane: string },
    { columns, locks = [], after = [] }: EnteringWith = {},
  ): Promise<Entered | undefined> {
    const { database, lease, schema } = this.#options;
    const row = { ...insertRow(schema, job, lease.owner), ...columns };
    const first = this.#locking([job.lane, ...locks]);
    const results = await database.batch([...first, this.#entering.query(database.engine, [row]), ...after]);
    const [stored] = (results[first.length]?.rows ?? []) as readonly { readonly state: JobState }[];
    return stored && entered[stored.state];
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

  /** Returns a parked job to its place in its lane, as if it had never been leased. Returns false if no parked job has this id. */
  unpark(id: string): Promise<boolean> {
    const { database, schema } = this.#options;
    const { db, engine } = database;
    const isParked = sql`id = ${id} and state = ${sql.lit(jobStates.parked)}`;
    const uncounted = schema.uncounted === undefined ? sql`` : sql`, ${sql.ref(schema.uncounted)} = attempt`;
    const back = sql<{ readonly id: string }>`
      update job set state = ${sql.lit(jobStates.behind)}, due_at = ${now(engine)}, ended_at = null${uncounted}
      where ${isParked} returning id`;
    return retryBriefly(async () => {
      const { rows } = await sql<{ readonly lane: string }>`select lane from job where ${isParked}`.execute(db);
      const [job] = rows;
      return job !== undefined && (await this.#change([job.lane], back)).length > 0;
    });
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
    const results = await batch([...this.#locking(lanes), ...also, changing.compile(db), promoting]);
    const promoted = results.at(-1)?.rows as readonly { readonly share: string }[];
    if (promoted.length > 0) {
      this.#marks.clear();
      onPromoted?.(new Set(promoted.map(({ share }) => share)));
    }
    return results.at(-2)?.rows as readonly Row[];
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
