import { executionJobs } from "@crosszone/agent-calls";
import { emptiedText, insertColumns, insertText, isLeasedText, jobStates, leaseColumns } from "@crosszone/jobs";
import { type ColumnKind, type Engine, nowText, rowsStatement, type WriteRow } from "@crosszone/sql";
import type { Kysely } from "kysely";

type Columns = Readonly<Record<string, ColumnKind>>;

/** The columns of calls that are deleted because their result is applied. */
export const endedColumns: Columns = { ...leaseColumns, run_id: "text" };

/** The columns of new calls. */
export const callColumns: Columns = insertColumns(executionJobs);

/** Returns the text that adds calls from a table expression named `new`. */
export const addCallsText = (rows: string, engine: Engine): string => insertText(executionJobs, rows, engine);

/** Returns the text that ends calls, also those that other processes lease. */
export const dropCallsText = (rows: string, engine: Engine): string => `
  update job set state = ${jobStates.ended}, ended_at = ${nowText[engine]}, owner = null, outcome = new.outcome, output = null,
    ${emptiedText(executionJobs)} from ${rows} where job.id = new.id and job.state < ${jobStates.ended}`;

const finding = rowsStatement({
  columns: leaseColumns,
  text: (rows, engine) => {
    const found = `select job.id from ${rows} join job on ${isLeasedText}`;
    return engine === "postgres" ? `${found} order by job.id for update of job` : found;
  },
});

/** Returns the ids of the calls whose leases have not expired. A transaction on PostgreSQL locks them until it ends. */
export async function findLeasedCalls(
  db: Pick<Kysely<never>, "executeQuery">,
  engine: Engine,
  rows: readonly WriteRow<string>[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const found = await finding<{ readonly id: string }>(db, engine, rows as readonly WriteRow<"id">[] as never);
  return new Set(found.map(({ id }) => id));
}
