import {
  type Database,
  type Engine,
  now,
  nowText,
  retryBriefly,
  type WriteRow,
  writeStatement,
  type WriteStatement,
} from "@crosszone/sql";
import { type CompiledQuery, type RawBuilder, sql, type Transaction } from "kysely";
import { notifyingEnds } from "../table/job-events.ts";
import {
  type JobEnd,
  type JobSchema,
  jobStates,
  type JobTables,
  type LeasedJob,
  type NewJob,
} from "../table/job-tables.ts";
import { endColumns, endRow, endText, insertColumns, insertOrText, insertRow, resultText } from "../table/job-texts.ts";
import type { JobStoreOptions } from "./grouped-writes.ts";

const { ended, waiting } = jobStates;

/** Stores jobs, or takes over those that wait with their ids. */
function takeOverStatement<Own extends string>(schema: JobSchema<Own>, engine: Engine): WriteStatement<string> {
  const taken = ["share", "state", "owner", "attempt", "due_at", "input", ...Object.keys(schema.own)];
  const onConflict = `(id) do update set ${taken.map((name) => `${name} = excluded.${name}`).join(", ")}
    where job.state = ${waiting}`;
  const text = (rows: string): string => insertOrText(schema, rows, { engine, onConflict });
  return writeStatement<string>({ table: "job", key: "id", columns: insertColumns(schema), text });
}

/** Ends jobs that wait. Notifies other processes of those with `notifies`, whether or not they had ended. */
function endStatement<Own extends string>(schema: JobSchema<Own>, engine: Engine): WriteStatement<string> {
  const text = (rows: string): string => `
    update job set ${endText(schema, engine)} from ${rows} where job.id = new.id and job.state = ${waiting}`;
  return writeStatement<string>({
    table: "job",
    key: "id",
    columns: { id: "text", ...endColumns(schema), notifies: "bigint" },
    text,
    postgresText: (rows, unlocked) =>
      notifyingEnds(`${text(rows)} returning job.id`, `${unlocked} where new.notifies = 1`),
    locksInOrder: true,
  });
}

/** Turns jobs that wait, or that ended with an output, into jobs of another kind with the end as their result. */
function turnStatement<Own extends string>(schema: JobSchema<Own>, engine: Engine): WriteStatement<string> {
  const columns = {
    id: "text",
    from_kind: "text",
    kind: "text",
    state: "bigint",
    owner: "text",
    attempt: "bigint",
  } as const;
  return writeStatement<string>({
    table: "job",
    key: "id",
    columns: { ...columns, ...endColumns(schema) },
    text: (rows) => `
      update job set kind = new.kind, share = new.kind, state = new.state, owner = new.owner, attempt = new.attempt,
        due_at = ${nowText[engine]}, ${resultText(schema)}
      from ${rows} where job.id = new.id and job.kind = new.from_kind
        and (job.state = ${waiting} or job.state = ${ended} and job.output is not null)`,
    locksInOrder: true,
  });
}

/** An end that arrives before its job, or without work on it. */
interface AddedEnd<Own extends string> {
  readonly job: Pick<NewJob<Own>, "id" | "kind" | "share" | "team" | "record" | "own">;
  readonly end: JobEnd<Own>;
  /** It also ends a job that does not wait, and one that ended with the same outcome but without output. */
  readonly anywhere: boolean;
}

/** A job that an added end has ended: the stored one if it existed. */
type EndedJob = Pick<LeasedJob, "record" | "waited_ms">;

/** Stores the end of a job. Returns the job, unless it had ended or is left alone. */
function addEnd<Own extends string>(
  schema: JobSchema<Own>,
  engine: Engine,
  { job, end, anywhere }: AddedEnd<Own>,
): RawBuilder<EndedJob> {
  const { due_ms: _due, deadline_ms: _deadline, ...row } = insertRow(schema, { ...job, as: "waiting" }, "");
  const { notifies: _notifies, ...result } = endRow(schema, { id: job.id, attempt: 0 }, { owner: "", end });
  const time = now(engine);
  const values = { ...row, ...result, owner: null, state: ended, due_at: time, created_at: time, ended_at: time };
  const isAnywhere = sql.raw(String(anywhere));
  return sql`
    insert into job (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(values))})
    on conflict (id) do update set state = excluded.state, owner = null, ended_at = excluded.ended_at, ${sql.raw(resultText(schema, "excluded"))}
    where job.kind = excluded.kind and (job.state = ${sql.lit(waiting)} or (${isAnywhere} and (job.state < ${sql.lit(ended)}
      or (job.state = ${sql.lit(ended)} and job.outcome = excluded.outcome and job.output is null))))
    returning record, ended_at - created_at as waited_ms`;
}

/** What a job becomes when its end arrives: a job of this kind, with the end as its result. */
export interface TurnedJob<Own extends string> {
  readonly id: string;
  readonly end: JobEnd<Own>;
  readonly kind: string;
  readonly as: "leased" | "ready";
}

/**
 * Jobs that something outside this database may end: another program gets them by a message, and ends them by another. Until then they
 * wait. What arrives together is written in one transaction with the statements of `also`; nothing is retried, and each write can be repeated.
 */
export class Outside<Own extends string> {
  readonly #options: JobStoreOptions<Own>;
  readonly #statements: Readonly<Record<"takeOver" | "end" | "turn", WriteStatement<string>>>;

  constructor(options: JobStoreOptions<Own>) {
    this.#options = options;
    const { schema, database } = options;
    this.#statements = {
      takeOver: takeOverStatement(schema, database.engine),
      end: endStatement(schema, database.engine),
      turn: turnStatement(schema, database.engine),
    };
  }

  /** Stores jobs, or takes over those that wait with their ids. Returns for each whether it did: others are elsewhere, or have ended. */
  takeOver(jobs: readonly NewJob<Own>[], also: readonly CompiledQuery[]): Promise<readonly boolean[]> {
    const { schema, lease } = this.#options;
    return this.#write(
      "takeOver",
      jobs.map((job) => insertRow(schema, job, lease.owner)),
      also,
    );
  }

  /**
   * Ends jobs that wait. `notifies`: another process waits for it, and is notified even if the job had ended. Returns for each whether it
   * waited.
   */
  end(
    ends: readonly { readonly id: string; readonly end: JobEnd<Own>; readonly notifies: boolean }[],
    also: readonly CompiledQuery[],
  ): Promise<readonly boolean[]> {
    const { schema } = this.#options;
    const rows = ends.map(({ id, end, notifies }) => endRow(schema, { id, attempt: 0 }, { owner: "", end, notifies }));
    return this.#write("end", rows, also);
  }

  /**
   * Turns jobs of a kind into jobs with their ends as results. Returns for each whether it did: no job has the id, or its result arrived
   * before.
   */
  turn(from: string, turned: readonly TurnedJob<Own>[], also: readonly CompiledQuery[]): Promise<readonly boolean[]> {
    const { schema, lease } = this.#options;
    const rows = turned.map(({ id, end, kind, as }) => {
      const [owner, attempt] = as === "leased" ? [lease.owner, 1] : [null, 0];
      const next = { from_kind: from, kind, state: jobStates[as], owner, attempt };
      return { ...endRow(schema, { id, attempt }, { owner: "", end }), ...next };
    });
    return this.#write("turn", rows, also);
  }

  /** Ends a job by an end that arrives before or without work on it. Returns undefined when it had ended or is left alone. */
  async addEnded(added: AddedEnd<Own>, transaction: Transaction<JobTables>): Promise<EndedJob | undefined> {
    const { database, schema } = this.#options;
    return (await addEnd(schema, database.engine, added).execute(transaction)).rows[0];
  }

  /** Ends waiting jobs of a kind whose deadline was over `graceMs` milliseconds ago, `most` at most. Returns how many. */
  async endOverdue(overdueJobs: {
    readonly kind: string;
    readonly end: JobEnd<Own>;
    readonly graceMs: number;
    readonly most: number;
  }): Promise<number> {
    const { kind, end, graceMs, most } = overdueJobs;
    const { db, engine } = this.#options.database;
    const overdue = db
      .selectFrom("job")
      .select("id")
      .where("kind", "=", kind)
      .where("state", "=", sql.lit(waiting))
      .where("deadline_at", "<", sql<number>`(select ${now(engine)} - ${graceMs})`)
      .limit(most);
    const found = await retryBriefly(() => overdue.execute());
    const done = await this.end(
      found.map(({ id }) => ({ id, end, notifies: false })),
      [],
    );
    return done.filter(Boolean).length;
  }

  async #write(
    statement: "takeOver" | "end" | "turn",
    rows: readonly WriteRow<string>[],
    also: readonly CompiledQuery[],
  ): Promise<readonly boolean[]> {
    const database: Database<JobTables> = this.#options.database;
    if (rows.length === 0) {
      if (also.length > 0) await database.batch(also);
      return [];
    }
    if (also.length === 0) return database.write(this.#statements[statement], rows);
    return (await database.writeWith(this.#statements[statement], rows, also)).changed;
  }
}
