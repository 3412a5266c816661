import { leaseColumns, isLeasedText } from "@crosszone/jobs";
import { rowsStatement, type Engine, type WriteRow } from "@crosszone/sql";
import type { Kysely } from "kysely";

const finding = rowsStatement({
  columns: leaseColumns,
  text: (rows, engine) => {
    const found = `select job.id from ${rows} join job on ${isLeasedText}`;
    return engine === "postgres" ? `${found} order by job.id for update of job` : found;
  },
});

/** Returns the ids of the calls whose leases still hold. In a transaction on PostgreSQL, they hold until it ends. */
export async function findHeldCalls(
  db: Pick<Kysely<never>, "executeQuery">,
  engine: Engine,
  rows: readonly WriteRow<string>[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const found = await finding<{ readonly id: string }>(db, engine, rows as readonly WriteRow<"id">[] as never);
  return new Set(found.map(({ id }) => id));
}
