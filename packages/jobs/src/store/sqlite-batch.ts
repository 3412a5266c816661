import { nowText, rowsStatement } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
import type { JobSchema, JobTables } from "../table/job-tables.ts";
import { dropText, insertText } from "../table/job-texts.ts";
import {
  type Batch,
  batchColumns,
  type BatchRows,
  batchRows,
  type BatchTables,
  unitColumnsOf,
  type WriteBatch,
} from "./batch.ts";
import { findLost } from "./read-jobs.ts";

/** Returns a function that writes a batch in a transaction, statement by statement. */
export function sqliteBatch<Own extends string>(
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
