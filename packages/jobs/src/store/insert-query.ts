import { type Engine, rowsStatement } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { JobSchema } from "../table/job-tables.ts";
import { insertColumns, insertRow, insertText } from "../table/job-texts.ts";
import type { NewJob } from "../table/job.ts";

/**
 * Creates the query that stores a job unless its id or key exists, for a transaction. `owner`: of a job that is stored as leased. Other
 * processes are not notified of the job.
 */
export function createInsertQuery<Own extends string>(
  schema: JobSchema<Own>,
  engine: Engine,
): (job: NewJob<Own>, owner?: string) => CompiledQuery {
  const columns = insertColumns(schema);
  const insert = rowsStatement({ columns, text: (rows, of) => insertText(schema, rows, of) });
  return (job, owner = "") => insert.query(engine, [insertRow(schema, job, owner)]);
}
