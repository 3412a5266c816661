import { type Engine, rowsStatement } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { JobSchema } from "../table/job-tables.ts";
import { insertColumns, insertRow, insertText } from "../table/job-texts.ts";
import type { NewJob } from "../table/job.ts";

/** Returns the function that makes the query of `JobStore.addQuery`. */
export function createInsertQuery<Own extends string>(
  schema: JobSchema<Own>,
  engine: Engine,
): (job: NewJob<Own>, owner: string) => CompiledQuery {
  const columns = insertColumns(schema);
  const insert = rowsStatement({ columns, text: (rows, of) => insertText(schema, rows, of) });
  return (job, owner) => insert.query(engine, [insertRow(schema, job, owner)]);
}
