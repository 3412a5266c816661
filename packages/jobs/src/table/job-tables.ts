import { type ColumnKind, type MigrationStep, tablesStep } from "@crosszone/sql";
import { type CreateTableBuilder, type Generated, sql } from "kysely";

/** The columns that a zone's jobs have besides those of every job. */
export interface JobSchema<Own extends string = never> {
  readonly own: Readonly<Record<Own, ColumnKind>>;
  /** The columns that a job's end sets. */
  readonly ended: readonly Own[];
  /** The columns that a job's end clears, as it clears `input`. */
  readonly cleared: readonly Own[];
  /**
   * For jobs in lanes: the column with the number of leases that do not count as attempts. Their `attempt` itself never falls: a job that was
   * leased before may have had effects.
   */
  readonly uncounted?: Own;
  /** Whether jobs can be stored with messages: then there is an outbox. */
  readonly sends?: true;
}

/** Jobs without columns of their own. */
export const plainJobs: JobSchema = { own: {}, ended: [], cleared: [] };

/** State of a job. The numbers are in the conditions of indexes. */
export const jobStates = {
  /** Any process with a free slot may take it once it is due. */
  ready: 0,
  /** A process works on it. */
  leased: 1,
  /** Another job of its lane comes first. */
  behind: 2,
  /** Something outside this database ends it. */
  waiting: 3,
  ended: 4,
  /** Failed too often; an operator decides. */
  parked: 5,
} as const;

export type JobState = (typeof jobStates)[keyof typeof jobStates];

/** The columns of every job. Times are Unix milliseconds, by the database's clock. */
export interface JobTable {
  /** The order of insertion among the jobs in the table. SQLite uses the numbers of deleted jobs again. */
  sequence: Generated<number>;
  id: string;
  kind: string;
  /** Jobs of one share are taken oldest first; free slots go to the shares in turn. Begins with the kind. */
  share: string;
  /** Jobs of one lane run one after the other, in the order of insertion. */
  lane: string | null;
  /** Identifies an outside request: a kind has at most one job of a key. */
  key: string | null;
  state: JobState;
  /** How often it was leased. With the owner it identifies a lease. */
  attempt: number;
  /** The process that has the lease or ended the job. */
  owner: string | null;
  /** When it becomes due. */
  due_at: number;
  /** 1: woken while it was leased, so its next release is due at once. */
  woken: Generated<number>;
  created_at: number;
  deadline_at: number | null;
  ended_at: number | null;
  /** The job or the workflow run that waits for its end. */
  parent: string | null;
  /** Digest of the team that owns its data. */
  team: string | null;
  /** How it ended, a word of its kind. */
  outcome: string | null;
  /** What never changes and is never sealed, JSON. */
  record: string;
  /** The input, JSON, may be sealed. Emptied when the job ends. */
  input: string | null;
  /** The result, JSON, may be sealed. */
  output: string | null;
}

/** The leases of processes. A process without a row, or whose row has expired, has no jobs. */
export interface JobWorkerTable {
  owner: string;
  alive_until: number;
}

export interface JobTables {
  job: JobTable;
  job_worker: JobWorkerTable;
}

/** Creates and drops both tables. `add` adds the columns of a zone, of which `long` have long text. */
export const jobsStep = (
  add: (table: CreateTableBuilder<"job">) => CreateTableBuilder<"job">,
  {
    indexes: ownIndexes = [],
    long = [],
  }: { readonly indexes?: readonly string[]; readonly long?: readonly string[] } = {},
): MigrationStep =>
  tablesStep(["job_worker", "job"], async (db, engine) => {
    // Ordered by bytes, as on SQLite, so that the shares of a kind are next to each other.
    const text = engine === "sqlite" ? "text" : sql`text collate "C"`;
    await db.schema
      .createTable("job_worker")
      .addColumn("owner", text, (column) => column.primaryKey())
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .execute();
    const table = db.schema
      .createTable("job")
      .addColumn("sequence", engine === "sqlite" ? "integer" : "bigint", (column) =>
        engine === "sqlite" ? column.primaryKey() : column.generatedAlwaysAsIdentity().primaryKey(),
      )
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("kind", text, (column) => column.notNull())
      .addColumn("share", text, (column) => column.notNull())
      .addColumn("lane", text)
      .addColumn("key", text)
      .addColumn("state", "smallint", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("owner", text)
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .addColumn("woken", "smallint", (column) => column.notNull().defaultTo(0))
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("deadline_at", "bigint")
      .addColumn("ended_at", "bigint")
      .addColumn("parent", text)
      .addColumn("team", "text")
      .addColumn("outcome", "text")
      .addColumn("record", "text", (column) => column.notNull());
    // Last, because SQLite reads through a long value to reach the columns after it.
    await add(table).addColumn("input", "text").addColumn("output", "text").execute();
    for (const index of [...indexes, ...ownIndexes]) await sql.raw(index).execute(db);
    if (engine === "sqlite") return;
    // PostgreSQL would compress text of more than 2 KB. https://www.postgresql.org/docs/current/storage-toast.html
    for (const column of ["record", "input", "output", ...long])
      await sql`alter table job alter column ${sql.id(column)} set storage external`.execute(db);
    // PostgreSQL would look for dead rows only after a fifth of the table has changed.
    await sql`
      alter table job set (
        fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`.execute(db);
  });

const indexes = [
  "create unique index job_id on job (id)",
  // The last columns let the load be read from the indexes alone.
  "create index job_ready on job (share, due_at, sequence, created_at) where state = 0",
  "create index job_owned on job (owner, kind, created_at) where state = 1",
  "create index job_behind on job (lane, sequence, kind, created_at) where state = 2",
  "create index job_set_aside on job (kind, state, created_at) where state in (3, 5)",
  // Under any race, a lane has one job that is ready or running.
  "create unique index job_lane on job (lane) where lane is not null and state in (0, 1, 3)",
  "create index job_ended on job (kind, ended_at) where state = 4",
  "create unique index job_key on job (kind, key) where key is not null",
  "create index job_child on job (parent) where parent is not null and state < 4",
  "create index job_by_team on job (team) where team is not null",
];

/** A lease: a job and the number of its lease. The store refuses changes by others, and after another lease. */
export interface LeaseId {
  readonly id: string;
  /** How often the job was leased, from 1. */
  readonly attempt: number;
  /** Its lane, if it has one. */
  readonly lane?: string | null;
}

/** The values of a zone's own columns. */
export type OwnValues<Own extends string> = Readonly<Partial<Record<Own, string | number | null>>>;

/** A message that leaves this database with a change of a job. */
export interface NewMessage {
  readonly channel: string;
  /** What never is sealed, JSON. */
  readonly record: string;
  /** JSON, may be sealed. */
  readonly value: string;
  /** Digest of the team that owns its data. */
  readonly team: string | null;
}

/** A job to store. Absent members are null. */
export interface NewJob<Own extends string = never> extends Pick<JobTable, "id" | "kind" | "share" | "record"> {
  readonly lane?: string;
  readonly key?: string;
  readonly parent?: string;
  readonly team?: string | null;
  readonly input?: string | null;
  /** Time until it is due, milliseconds; due at once when absent. */
  readonly dueInMs?: number;
  /** Time until its deadline, milliseconds. */
  readonly deadlineMs?: number;
  /** `leased`: to this process, for the first time. `waiting`: until something outside this database ends it. */
  readonly as: "ready" | "leased" | "waiting";
  readonly own?: OwnValues<Own>;
  /** Leaves when the job is stored. Only of a job that waits. */
  readonly message?: NewMessage;
}

export type LeasedJob<Own extends string = never> = LeaseId &
  Pick<JobTable, "kind" | "share" | "parent" | "team" | "record" | "input" | "output"> &
  Readonly<Record<Own, string | number | null>> & {
    readonly lane?: string | null;
    /** Time until the deadline, milliseconds; negative after it, null without one. */
    readonly remaining_ms: number | null;
    /** Time since it was stored, milliseconds. */
    readonly waited_ms: number;
  };

/** What a job is, and how it ended. */
export type FoundJob = Pick<JobTable, "state" | "attempt" | "record" | "outcome" | "output">;

export interface JobEnd<Own extends string = never> {
  /** A word of its kind. */
  readonly outcome: string;
  readonly output: string | null;
  readonly own?: OwnValues<Own>;
}

export interface LostJob extends LeaseId {
  /** Its outcome when it has ended; null when another process has it or may take it, undefined when it is deleted. */
  readonly outcome: string | null | undefined;
}

export interface WantedJobs {
  readonly share: string;
  readonly most: number;
}

/** The load of a kind. */
export interface JobReadings {
  /** Jobs that have not ended and are not parked. */
  readonly open: number;
  /** Jobs that wait for a process or for their lane. */
  readonly waiting: number;
  readonly parked: number;
  /** Age of the oldest that waits, milliseconds; 0 without any. */
  readonly oldestWaitingMs: number;
  /** Age of the oldest open one, milliseconds; 0 without any. */
  readonly oldestOpenMs: number;
}
