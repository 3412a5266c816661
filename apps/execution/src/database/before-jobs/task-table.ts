import type { MigrationStep } from "@crosszone/sql";
import type { ErrorKind, TaskState } from "@crosszone/contracts";
import { sql, type Kysely } from "kysely";

/** Tasks, with their keys and leases. Times are Unix milliseconds, by the database's clock. */
export interface TaskTable {
  task_id: string;
  /** Digest of the caller and its key. */
  request_key: string;
  state: TaskState;
  attempt: number;
  /** The process that runs or ended it. Null when canceled or released. */
  owner: string | null;
  /** 0: any process can lease it at once. */
  lease_until: number;
  created_at: number;
  deadline_at: number;
  finished_at: number | null;
  /** Digest of the requester's team. */
  team: string | null;
  /** The agent's name, in the form that a column accepts, for filters. Null in rows of earlier versions. */
  agent: string | null;
  /** The correlation id of the message, for filters. Null in rows of earlier versions. */
  correlation_id: string | null;
  /** Why the task has no answer. Readable without the outcome's key. */
  error_kind: ErrorKind | null;
  /** The constant members, as JSON. */
  record: string;
  /** `TaskParams` as JSON, sealed if `DATA_KEYS` is set. Deleted when the task ends. */
  params: string | null;
  /** The handle of its files, sealed. Deleted when the task ends. */
  handle: string | null;
  /** A `TaskOutcome` as JSON, sealed if `DATA_KEYS` is set. */
  outcome: string | null;
}

export const tasksStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("task")
      .addColumn("task_id", "text", (column) => column.primaryKey())
      .addColumn("request_key", "text", (column) => column.notNull().unique())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("owner", "text")
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("deadline_at", "bigint", (column) => column.notNull())
      .addColumn("finished_at", "bigint")
      .addColumn("team", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .addColumn("params", "text")
      .addColumn("handle", "text")
      .addColumn("outcome", "text")
      .execute();
    if (engine === "postgres") await keepTextAsItIs(db);
    await sql`create index task_open on task (lease_until) where finished_at is null`.execute(db);
    await sql`create index task_finished on task (finished_at) where finished_at is not null`.execute(db);
    await sql`create index task_by_team on task (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("task").execute();
  },
};

/** Adds and drops the columns by which operators filter tasks. */
export const taskSearchStep: MigrationStep = {
  up: async (db) => {
    for (const column of searchColumns) await db.schema.alterTable("task").addColumn(column, "text").execute();
    await sql`create index task_latest on task (created_at, task_id)`.execute(db);
    await sql`create index task_by_correlation on task (correlation_id) where correlation_id is not null`.execute(db);
  },
  down: async (db) => {
    await sql`drop index task_by_correlation`.execute(db);
    await sql`drop index task_latest`.execute(db);
    for (const column of searchColumns.toReversed()) await db.schema.alterTable("task").dropColumn(column).execute();
  },
};

const searchColumns = ["agent", "correlation_id", "error_kind"];

/**
 * PostgreSQL compresses text of more than 2 KB, which isn't worth the CPU time for rows that live for a day.
 * https://www.postgresql.org/docs/current/storage-toast.html
 */
async function keepTextAsItIs(db: Kysely<never>): Promise<void> {
  for (const column of ["record", "params", "outcome"])
    await sql`alter table task alter column ${sql.id(column)} set storage external`.execute(db);
}
