import {
  type ColumnKind,
  notifyText,
  nowText,
  prepare,
  type QueryRunner,
  rowsStatement,
  type WriteRow,
} from "@crosszone/sql";
import { CompiledQuery, sql, type Transaction } from "kysely";
import { endedPrefix, jobChannel } from "../table/job-events.ts";
import { type JobSchema, jobStates, type JobTables, type LeaseId, type NewJob } from "../table/job-tables.ts";
import { dropText, insertColumns, insertRow, insertText, isLeasedText, leaseColumns } from "../table/job-texts.ts";
import { insertMessages, messageColumns, storeMessages } from "./outbox.ts";
import { findLost } from "./read-jobs.ts";

type Columns<Column extends string = string> = Readonly<Record<Column, ColumnKind>>;

/** A table whose rows are written with jobs. */
interface BatchTable<Column extends string> {
  readonly columns: Columns<Column>;
  /** Returns the statement that writes `rows`, a table expression named `new` with the columns. */
  readonly write: (rows: string) => string;
}

/** The tables of units. A unit changes as a whole, with its jobs. */
interface BatchTables<Unit extends string, Part extends string> {
  /** The column of both tables with the id of the unit. */
  readonly unit: NoInfer<Unit & Part>;
  /** One row for each unit. */
  readonly units: BatchTable<Unit> & {
    readonly table: string;
    /** For units that exist: which rows change, a condition on the table and `new`. PostgreSQL locks them before it writes. */
    readonly where?: string;
  };
  /** What belongs to the units. */
  readonly parts: BatchTable<Part>;
}

/** Changes of units. */
export interface Batch<Own extends string, Unit extends string, Part extends string> {
  /** In an order that is the same in all processes: PostgreSQL would abort one of two statements that wait for each other's keys. */
  readonly units: readonly WriteRow<Unit>[];
  readonly parts: readonly WriteRow<Part>[];
  /** Jobs to delete if this process leases all those of the unit. Only of units that exist. */
  readonly done: readonly { readonly unit: string; readonly leaseId: LeaseId }[];
  /** Jobs to end, whichever process leases them. Only of units that exist. */
  readonly dropped: readonly { readonly unit: string; readonly id: string; readonly outcome: string }[];
  /** New jobs. Their parent is the unit. */
  readonly added: readonly NewJob<Own>[];
}

/** The changes that took effect. */
export interface WrittenBatch {
  readonly units: ReadonlySet<string>;
  /** Ids of new jobs. */
  readonly added: ReadonlySet<string>;
  /** Now, by the database's clock. */
  readonly at: number;
}

/** Writes a batch of the process `owner`. */
type WriteBatch<Db, Own extends string, Unit extends string = string, Part extends string = string> = (
  db: Db,
  batch: Batch<Own, Unit, Part>,
  owner: string,
) => Promise<WrittenBatch>;

type BatchRows = Readonly<Record<keyof Batch<never, never, never>, readonly WriteRow<string>[]>>;

/** The messages that leave with new jobs, for a schema whose jobs send any. */
const sentColumns = ({ sends }: JobSchema<string>): Readonly<Record<string, Columns>> =>
  sends === true ? { sent: { job: "text", ...messageColumns } } : {};

const sentRows = ({ added }: Batch<string, string, string>, owner: string): readonly WriteRow<string>[] =>
  added.flatMap(({ id, message }) => (message ? { ...message, job: id, owner } : []));

/** Returns the columns of those rows. */
const batchColumns = (
  schema: JobSchema<string>,
  { units, parts }: BatchTables<string, string>,
): Readonly<Record<keyof BatchRows, Columns>> => ({
  units: units.columns,
  parts: parts.columns,
  done: { unit: "text", ...leaseColumns },
  dropped: { unit: "text", id: "text", outcome: "text" },
  added: insertColumns(schema),
});

/** Returns the columns with the id of a row's unit. `unit`: that of the caller's tables. */
const unitColumnsOf = (unit: string): Readonly<Record<keyof BatchRows, string>> => ({
  units: unit,
  parts: unit,
  done: "unit",
  dropped: "unit",
  added: "parent",
});

const batchRows = <Own extends string>(
  schema: JobSchema<Own>,
  { units, parts, done, dropped, added }: Batch<Own, string, string>,
  owner: string,
): BatchRows => ({
  units,
  parts,
  done: done.map(({ unit, leaseId: { id, attempt } }) => ({ unit, id, attempt, owner })),
  dropped,
  added: added.map((job) => insertRow(schema, job, owner)),
});

/** Returns a function that writes a batch in one statement, in a transaction or not. */
function postgresBatch<Own extends string>(
  schema: JobSchema<Own>,
  tables: BatchTables<string, string>,
): WriteBatch<QueryRunner, Own> {
  const columns = Object.entries({ ...batchColumns(schema, tables), ...sentColumns(schema) });
  const { unit, units, parts } = tables;
  const unitColumns = unitColumnsOf(unit);
  const rowsOf = (table: keyof BatchRows, those: "fit" | "taken"): string =>
    `(select ${table}.* from ${table} join ${those} on ${those}.unit = ${table}.${unitColumns[table]}) as new`;
  const { where } = units;
  const queries = [
    ...unnested(columns),
    ...(where === undefined ? [] : lockedUnits(unit, units.table, where)),
    `taken as (${units.write(where === undefined ? "units as new" : rowsOf("units", "fit"))} returning ${units.table}.${unit} as unit)`,
    `forgotten as (delete from job using ${rowsOf("done", "taken")} where job.id = new.id)`,
    `stopped as (${dropText(schema, rowsOf("dropped", "taken"), "postgres")} returning job.id)`,
    `put as (${parts.write(rowsOf("parts", "taken"))})`,
    `stored as (${insertText(schema, rowsOf("added", "taken"), "postgres")} returning id, share, state)`,
    ...(schema.sends === true ? [`left_with as (${insertMessages("sent join stored on stored.id = sent.job")})`] : []),
    `notified as materialized (select ${notifyText("postgres", jobChannel, "payload")} from (
      select share as payload from stored where state = ${jobStates.ready}
      union select '${endedPrefix}' || id from stopped) as news)`,
  ];
  const text = `with ${queries.join(",\n")}
    select unit as id, 0 as is_job, ${nowText.postgres} as at from taken where (select count(*) from notified) >= 0
    union all select id, 1, 0 from stored`;
  prepare(text);

  return async (db, batch, owner) => {
    const rows: Readonly<Record<string, readonly WriteRow<string>[]>> = {
      ...batchRows(schema, batch, owner),
      sent: sentRows(batch, owner),
    };
    const values = columns.flatMap(([name, kinds]) =>
      Object.keys(kinds).map((column) => (rows[name] ?? []).map((row) => row[column])),
    );
    const written = await db.executeQuery<{ id: string; is_job: number; at: number }>(CompiledQuery.raw(text, values));
    const ids = (isJob: number): ReadonlySet<string> =>
      new Set(written.rows.filter(({ is_job }) => is_job === isJob).map(({ id }) => id));
    return { units: ids(0), added: ids(1), at: Math.max(0, ...written.rows.map(({ at }) => at)) };
  };
}

/** Each table has its rows in an array for each column. */
function unnested(columns: readonly (readonly [table: string, kinds: Readonly<Record<string, string>>])[]): string[] {
  let count = 0;
  return columns.map(([table, kinds]) => {
    const arrays = Object.values(kinds).map((kind) => `$${(count += 1)}::${kind}[]`);
    return `${table} as (select * from unnest(${arrays.join(", ")}) as ${table}(${Object.keys(kinds).join(", ")}))`;
  });
}

/**
 * Locks the units to change, and their jobs that are done or dropped: first all units, then all jobs, each in order, so that statements cannot
 * deadlock. `fit` are the units whose done jobs this process leases. The jobs are counted, so that all of them are read and locked.
 */
const lockedUnits = (unit: string, table: string, where: string): string[] => [
  `locked as materialized (
    select new.${unit} as unit from units as new join ${table} on ${where} order by new.${unit} for update of ${table})`,
  `leased as materialized (
    select new.unit, new.owner from locked
    join (select unit, id, owner, attempt from done union all select unit, id, null, null from dropped) as new
      on new.unit = locked.unit
    join job on job.id = new.id and (new.owner is null or ${isLeasedText}) order by job.id for update of job)`,
  `lost as (
    select unit from (select unit, 1 as jobs from done union all select unit, -1 from leased where owner is not null) as counted
    group by unit having sum(jobs) > 0)`,
  `fit as materialized (select unit from locked where unit not in (select unit from lost))`,
];

/** Returns a function that writes a batch in a transaction, statement by statement. */
function sqliteBatch<Own extends string>(
  schema: JobSchema<Own>,
  tables: BatchTables<string, string>,
): WriteBatch<Transaction<JobTables>, Own> {
  const { unit, units, parts } = tables;
  const [columns, unitColumns] = [batchColumns(schema, tables), unitColumnsOf(unit)];
  const statements = {
    units: rowsStatement({ columns: columns.units, text: (rows) => `${units.write(rows)} returning ${unit} as id` }),
    done: rowsStatement({
      columns: columns.done,
      text: (rows) => `delete from job where id in (select id from ${rows})`,
    }),
    dropped: rowsStatement({ columns: columns.dropped, text: (rows, engine) => dropText(schema, rows, engine) }),
    parts: rowsStatement({ columns: columns.parts, text: parts.write }),
    added: rowsStatement({
      columns: columns.added,
      text: (rows, engine) => `${insertText(schema, rows, engine)} returning id`,
    }),
  };

  return async (transaction, batch, owner) => {
    const rows = batchRows(schema, batch, owner);
    const write = async (table: keyof BatchRows, isTaken: (id: string) => boolean): Promise<ReadonlySet<string>> => {
      const some = rows[table].filter((row) => isTaken(row[unitColumns[table]] as string));
      if (some.length === 0) return new Set();
      const written = await statements[table]<{ readonly id: string }>(transaction, "sqlite", some);
      return new Set(written.map(({ id }) => id));
    };
    const lost = await findLostUnits(transaction, batch.done, owner);
    const taken = await write("units", (id) => !lost.has(id));
    const isTaken = (id: string): boolean => taken.has(id);
    await write("done", isTaken);
    await write("dropped", isTaken);
    await write("parts", isTaken);
    const added = await write("added", isTaken);
    const sent = batch.added.flatMap(({ id, message }) => (message && added.has(id) ? { message } : []));
    if (sent.length > 0) await transaction.executeQuery(storeMessages("sqlite", owner, sent));
    const { rows: clock } = await sql<{ at: number }>`select ${sql.raw(nowText.sqlite)} as at`.execute(transaction);
    return { units: taken, added, at: clock[0]?.at ?? Date.now() };
  };
}

/** Returns the units with a done job that `owner` does not lease. */
async function findLostUnits(
  transaction: Transaction<JobTables>,
  done: Batch<never, string, string>["done"],
  owner: string,
): Promise<ReadonlySet<string>> {
  const leases = done.map(({ leaseId }) => leaseId);
  const lost = new Set((await findLost(transaction, leases, { owner })).map(({ id }) => id));
  return new Set(done.flatMap(({ unit, leaseId }) => (lost.has(leaseId.id) ? [unit] : [])));
}

/** Writes units of two tables with their jobs. */
export interface BatchStatement<Own extends string, Unit extends string, Part extends string> {
  readonly postgres: WriteBatch<QueryRunner, Own, Unit, Part>;
  readonly sqlite: WriteBatch<Transaction<JobTables>, Own, Unit, Part>;
}

/** Creates a statement. Each one is planned once for each connection, so create it once. */
export const batchStatement = <Own extends string, Unit extends string, Part extends string>(
  schema: JobSchema<Own>,
  tables: BatchTables<Unit, Part>,
): BatchStatement<Own, Unit, Part> => ({
  postgres: postgresBatch(schema, tables),
  sqlite: sqliteBatch(schema, tables),
});
