import type { ColumnKind, WriteRow } from "@crosszone/sql";
import type { JobSchema } from "../table/job-tables.ts";
import { insertColumns, insertRow, leaseColumns } from "../table/job-texts.ts";
import type { LeaseId, NewJob } from "../table/job.ts";

type Columns<Column extends string = string> = Readonly<Record<Column, ColumnKind>>;

/** A table whose rows are written with jobs. */
export interface BatchTable<Column extends string> {
  readonly columns: Columns<Column>;
  /** Returns the statement that writes `rows`, a table expression named `new` with the columns. */
  readonly write: (rows: string) => string;
}

/** The tables of units. A unit changes as a whole, with its jobs. */
export interface BatchTables<Unit extends string, Part extends string> {
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
export type WriteBatch<Db, Own extends string, Unit extends string = string, Part extends string = string> = (
  db: Db,
  batch: Batch<Own, Unit, Part>,
  owner: string,
) => Promise<WrittenBatch>;

export type BatchRows = Readonly<Record<keyof Batch<never, never, never>, readonly WriteRow<string>[]>>;

/** Returns the columns of those rows. */
export const batchColumns = (
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
export const unitColumnsOf = (unit: string): Readonly<Record<keyof BatchRows, string>> => ({
  units: unit,
  parts: unit,
  done: "unit",
  dropped: "unit",
  added: "parent",
});

export const batchRows = <Own extends string>(
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
