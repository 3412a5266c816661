import type { Database } from "@crosszone/sql";
import type { Kysely, Transaction } from "kysely";
import type { JobSchema, JobTables } from "../table/job-tables.ts";
import type { Batch, BatchTables, WriteBatch, WrittenBatch } from "./batch.ts";
import { postgresBatch } from "./postgres-batch.ts";
import { sqliteBatch } from "./sqlite-batch.ts";

/** Writes units of two tables with their jobs. */
export interface BatchStatement<Own extends string, Unit extends string, Part extends string> {
  readonly postgres: WriteBatch<Pick<Kysely<never>, "executeQuery">, Own, Unit, Part>;
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

/** Runs a statement. `transaction`: the one to write in. */
export type RunBatch<Own extends string> = <Unit extends string, Part extends string>(
  statement: BatchStatement<Own, Unit, Part>,
  batch: Batch<Own, Unit, Part>,
  transaction?: Pick<Kysely<never>, "executeQuery">,
) => Promise<WrittenBatch>;

export function createRunBatch<Own extends string>(
  { engine, prepared, transaction: within }: Database<JobTables>,
  lease: { readonly owner: string },
): RunBatch<Own> {
  return ({ postgres, sqlite }, batch, transaction) =>
    engine === "postgres"
      ? postgres(transaction ?? prepared, batch, lease.owner)
      : transaction
        ? sqlite(transaction as Transaction<JobTables>, batch, lease.owner)
        : within((locked) => sqlite(locked, batch, lease.owner));
}
