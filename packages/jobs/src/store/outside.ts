import {
  createGroupCommit,
  type Engine,
  now,
  nowText,
  retryBriefly,
  type WriteRow,
  writeStatement,
  type WriteStatement,
} from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import { notifyingEnds } from "../table/job-events.ts";
import {
  type JobEnd,
  type JobSchema,
  jobStates,
  type LeasedJob,
  type LeaseId,
  type NewJob,
} from "../table/job-tables.ts";
import {
  endColumns,
  endRow,
  insertColumns,
  insertOrText,
  insertRow,
  isLeasedText,
  leaseColumns,
  resultText,
} from "../table/job-texts.ts";
import type { JobStoreOptions } from "./grouped-writes.ts";

const { ended: endedState } = jobStates;

/** A job that an arriving one takes over, if it has this share and has not ended. */
interface TakenOver<Own extends string> {
  readonly share: string;
  /** The own columns that it gets from the arriving one, besides share, state, lease and due time. */
  readonly own?: readonly Own[];
}

/** Stores jobs or takes them over, one after another, in the order of their ids. */
function takeOverStatement<Own extends string>(
  schema: JobSchema<Own>,
  engine: Engine,
  { share, own = [] }: TakenOver<Own>,
): WriteStatement<string> {
  const taken = ["share", "state", "owner", "attempt", "due_at", ...own];
  const onConflict = `(id) do update set ${taken.map((name) => `${name} = excluded.${name}`).join(", ")}
    where job.share = '${share.replaceAll("'", "''")}' and job.state < ${endedState}`;
  const text = (rows: string): string => insertOrText(schema, rows, { engine, onConflict });
  return writeStatement<string>({ table: "job", key: "id", columns: insertColumns(schema), text });
}

/** Sets the state of leased jobs of a share, which no longer need their lease. */
const settleStatement: WriteStatement<string> = writeStatement<string>({
  table: "job",
  key: "id",
  columns: { ...leaseColumns, share: "text", to_state: "bigint" },
  // The share shows that the job was not taken over meanwhile.
  text: (rows) => `
    update job set state = new.to_state, owner = case when new.to_state = ${endedState} then job.owner end
    from ${rows} where ${isLeasedText} and job.share = new.share`,
  locksInOrder: true,
});

/** Ends jobs of one of two shares. Notifies other processes of those with `notifies`, whether or not they had ended. */
function endStatement<Own extends string>(schema: JobSchema<Own>, engine: Engine): WriteStatement<string> {
  const text = (rows: string): string => `
    update job set state = ${endedState}, owner = null, ended_at = coalesce(job.ended_at, ${nowText[engine]}), ${resultText(schema)}
    from ${rows} where job.id = new.id and job.state < ${endedState} and job.share in (new.share, new.or_share)`;
  return writeStatement<string>({
    table: "job",
    key: "id",
    columns: { id: "text", ...endColumns(schema), share: "text", or_share: "text", notifies: "bigint" },
    text,
    postgresText: (rows, unlocked) =>
      notifyingEnds(`${text(rows)} returning job.id`, `${unlocked} where new.notifies = 1`),
    locksInOrder: true,
  });
}

/** An end that arrives before its job, or without work on it. Its output goes on under the job's share. */
interface AddedEnd<Own extends string> {
  readonly job: Pick<NewJob<Own>, "id" | "kind" | "share" | "team" | "record" | "own">;
  readonly end: JobEnd<Own>;
  readonly as: "leased" | "ready";
  /** A job that exists ends if it has this share and has not ended. */
  readonly insteadOf: string;
  /** It also ends under any other share than its new one, and if it ended with the same outcome but without output. */
  readonly anywhere: boolean;
}

/** A job that an added end has ended: the stored one if it existed. */
type EndedJob = LeaseId & Pick<LeasedJob, "record" | "waited_ms">;

/** Stores the end of a job. Returns the job, unless it had ended or is left alone. */
function addEnd<Own extends string>(
  schema: JobSchema<Own>,
  { engine, owner }: { readonly engine: Engine; readonly owner: string },
  { job, end, as, insteadOf, anywhere }: AddedEnd<Own>,
): RawBuilder<EndedJob> {
  const { due_ms: _due, deadline_ms: _deadline, ...row } = insertRow(schema, { ...job, as }, owner);
  const { notifies: _notifies, ...result } = endRow(schema, { id: job.id, attempt: 1 }, { owner, end });
  const time = now(engine);
  const values = { ...row, ...result, owner: row["owner"], due_at: time, created_at: time, ended_at: time };
  const moved = ["share", "state", "owner", "due_at", "ended_at"]
    .map((name) => `${name} = excluded.${name}`)
    .join(", ");
  const isAnywhere = sql.raw(String(anywhere));
  return sql`
    insert into job (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(values))})
    on conflict (id) do update set attempt = job.attempt + 1, ${sql.raw(moved)}, ${sql.raw(resultText(schema, "excluded"))}
    where (job.state < ${sql.lit(endedState)}
        and (job.share = ${insteadOf} or (${isAnywhere} and job.share <> excluded.share)))
      or (${isAnywhere} and job.state = ${sql.lit(endedState)} and job.outcome = excluded.outcome and job.output is null)
    returning id, attempt, record, ended_at - created_at as waited_ms`;
}

type Write<Item> = (item: Item) => Promise<boolean>;

/**
 * Jobs that something outside this database may end: another program gets them by a message, and ends them by another. Until then they
 * wait under the share of that message. Concurrent changes of one sort share a commit.
 */
export class Outside<Own extends string> {
  readonly #options: JobStoreOptions<Own>;
  readonly #settling: Write<WriteRow<string>>;
  readonly #ending: Write<WriteRow<string>>;

  constructor(options: JobStoreOptions<Own>) {
    const { database, schema, group = createGroupCommit } = options;
    this.#options = options;
    const end = endStatement(schema, database.engine);
    this.#settling = group((rows) => database.write(settleStatement, rows, { unflushed: true }));
    this.#ending = group((rows) => database.write(end, rows), { sizeOf });
  }

  /**
   * Returns a function that stores a job, or takes over the one that waits with its id. It resolves with false if that one has another share
   * or has ended.
   */
  takingOver(waiting: TakenOver<Own>): Write<NewJob<Own>> {
    const { database, lease, schema, group = createGroupCommit } = this.#options;
    const statement = takeOverStatement(schema, database.engine, waiting);
    const taking = group((rows: readonly WriteRow<string>[]) => database.write(statement, rows), { sizeOf });
    return (job) => retryBriefly(() => taking(insertRow(schema, job, lease.owner)));
  }

  /**
   * This process has done its part of a leased job, which now waits, or has ended as it was passed on. A power loss may undo it. Returns false
   * when the lease is lost, or when the job was taken over from its share.
   */
  settle(
    { id, attempt }: LeaseId,
    { share, as }: { readonly share: string; readonly as: "waiting" | "ended" },
  ): Promise<boolean> {
    const row = { id, attempt, owner: this.#options.lease.owner, share, to_state: jobStates[as] };
    return retryBriefly(() => this.#settling(row));
  }

  /**
   * Ends a job of one of two shares, whichever process has leased it. Returns false if none has this id and has not ended. `notifies`:
   * another process waits for it, and is notified even if the job had ended.
   */
  end(
    id: string,
    end: JobEnd<Own>,
    { shares, notifies }: { readonly shares: readonly [string, string?]; readonly notifies: boolean },
  ): Promise<boolean> {
    const row = endRow(this.#options.schema, { id, attempt: 0 }, { owner: "", end, notifies });
    return retryBriefly(() => this.#ending({ ...row, share: shares[0], or_share: shares[1] ?? null }));
  }

  /** Ends a job by an end that arrives before or without work on it. Returns undefined when it had ended or is left alone. */
  addEnded(ended: AddedEnd<Own>): Promise<EndedJob | undefined> {
    const { database, lease, schema } = this.#options;
    const adding = addEnd(schema, { engine: database.engine, owner: lease.owner }, ended);
    return retryBriefly(async () => (await adding.execute(database.db)).rows[0]);
  }

  /** Ends waiting jobs of a share whose deadline was over `graceMs` milliseconds ago, `most` at most. Returns how many. */
  async endOverdue(overdueJobs: {
    readonly kind: string;
    readonly share: string;
    readonly end: JobEnd<Own>;
    readonly graceMs: number;
    readonly most: number;
  }): Promise<number> {
    const { kind, share, end, graceMs, most } = overdueJobs;
    const { db, engine } = this.#options.database;
    const overdue = db
      .selectFrom("job")
      .select("id")
      .where("kind", "=", kind)
      .where("state", "=", sql.lit(jobStates.waiting))
      .where("share", "=", share)
      .where("deadline_at", "<", sql<number>`(select ${now(engine)} - ${graceMs})`)
      .limit(most);
    const found = await retryBriefly(() => overdue.execute());
    const ended = await Promise.all(found.map(({ id }) => this.end(id, end, { shares: [share], notifies: false })));
    return ended.filter(Boolean).length;
  }
}

const sizeOf = ({ input, output }: WriteRow<string>): number => String(input ?? output ?? "").length;
