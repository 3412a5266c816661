import type { Database } from "@crosszone/sql";
import type { Transaction } from "kysely";
import { writeOnPostgres } from "./turns-on-postgres.ts";
import { writeOnSqlite } from "./turns-on-sqlite.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import type { TurnRows, WrittenTurns } from "./write-runs.ts";

export interface WriteOptions {
  /** Whether the runs are added. */
  readonly isNew?: boolean;
  /** Only on PostgreSQL: the transaction to write in. */
  readonly transaction?: Transaction<WorkflowTables> | undefined;
}

/**
 * Changes runs together with their steps and calls, atomically: one round trip on PostgreSQL. A run that another process has
 * changed, or whose ending call this process no longer holds, is left as it is, with all that belongs to it; so is a new run
 * whose id or request key exists.
 */
export function writeTurns(
  { engine, prepared, transaction: within }: Pick<Database<WorkflowTables>, "engine" | "prepared" | "transaction">,
  rows: TurnRows,
  { isNew = false, transaction }: WriteOptions = {},
): Promise<WrittenTurns> {
  const inOrder = { ...rows, runs: rows.runs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
  if (engine === "postgres") return writeOnPostgres(transaction ?? prepared, inOrder, isNew);
  return within((held) => writeOnSqlite(held, inOrder, isNew));
}

/**
 * What another process may add or lock at the same time is added and locked in one order by all: of two statements that wait
 * for a key of the other's, PostgreSQL would end one.
 */
const keyOf = (row: TurnRows["runs"][number]): string => ("request_key" in row ? row.request_key : null) ?? row.run_id;
