import { type Database, nowText, rowsStatement, type RowsStatement, type WriteRow } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
import { addCallsText, callColumns, dropCallsText, findLeasedCalls } from "./call-statements.ts";
import type { RunRow } from "./run-row.ts";
import { writeOnPostgres } from "./turns-on-postgres.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import {
  addRunsText,
  droppedColumns,
  movedColumns,
  type MovedRunRow,
  moveRunsText,
  putStepsText,
  runColumns,
  stepColumns,
  type TurnRows,
  type WrittenTurns,
} from "./write-runs.ts";

const addRuns = rowsStatement({ columns: runColumns, text: addRunsText });
const moveRuns = rowsStatement({
  columns: movedColumns,
  text: (rows) => `update workflow_run set ${moveRunsText} from ${rows} where workflow_run.run_id = new.run_id
    and workflow_run.revision = new.expected_revision and workflow_run.created_at = new.created_at returning run_id`,
});
const putSteps = rowsStatement({ columns: stepColumns, text: putStepsText });
const forgetEnds = rowsStatement({
  columns: { id: "text" },
  text: (rows) => `delete from job where id in (select id from ${rows})`,
});
const dropCalls = rowsStatement({ columns: droppedColumns, text: dropCallsText });
const addCalls = rowsStatement({
  columns: callColumns,
  text: (rows, engine) => `${addCallsText(rows, engine)} returning id`,
});

/** Writes turns in a transaction, statement by statement. Leaves out runs that are not as expected. */
async function writeOnSqlite(
  transaction: Transaction<WorkflowTables>,
  rows: TurnRows,
  isNew: boolean,
): Promise<WrittenTurns> {
  const run = async <Column extends string>(
    statement: RowsStatement<Column>,
    all: readonly WriteRow<Column>[],
  ): Promise<readonly { readonly id: string; readonly run_id: string }[]> =>
    all.length === 0 ? [] : statement(transaction, "sqlite", all);

  const leased = await findLeasedCalls(transaction, "sqlite", rows.ended);
  const lost = new Set(rows.ended.filter(({ id }) => !leased.has(id as string)).map(({ run_id }) => run_id));
  const kept = rows.runs.filter(({ run_id }) => !lost.has(run_id));
  const written = await (isNew ? run(addRuns, kept as RunRow[]) : run(moveRuns, kept as MovedRunRow[]));
  const runs = new Set(written.map(({ run_id }) => run_id));
  const ended = rows.ended.filter(({ run_id }) => runs.has(run_id as string));
  await run(forgetEnds, ended as readonly WriteRow<"id">[]);
  await run(
    dropCalls,
    rows.dropped.filter(({ run_id }) => runs.has(run_id)),
  );
  await run(
    putSteps,
    rows.steps.filter(({ run_id }) => runs.has(run_id)),
  );
  const calls = await run(
    addCalls,
    rows.calls.filter(({ parent }) => runs.has(parent as string)),
  );
  const { rows: clock } = await sql<{ at: number }>`select ${sql.raw(nowText.sqlite)} as at`.execute(transaction);
  return { runs, calls: new Set(calls.map(({ id }) => id)), at: clock[0]?.at ?? Date.now() };
}

export interface WriteOptions {
  /** Whether the runs are added. */
  readonly isNew?: boolean;
  /** Only on PostgreSQL: the transaction to write in. */
  readonly transaction?: Transaction<WorkflowTables>;
}

/**
 * Changes runs together with their steps and calls, atomically: one round trip on PostgreSQL. A run that another process has
 * changed, or whose ending call this process no longer leases, stays as it is, with all that belongs to it. So does a new run
 * whose id or request key exists.
 */
export function writeTurns(
  { engine, prepared, transaction: within }: Pick<Database<WorkflowTables>, "engine" | "prepared" | "transaction">,
  rows: TurnRows,
  { isNew = false, transaction }: WriteOptions = {},
): Promise<WrittenTurns> {
  const inOrder = { ...rows, runs: rows.runs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
  if (engine === "postgres") return writeOnPostgres(transaction ?? prepared, inOrder, isNew);
  return within((locked) => writeOnSqlite(locked, inOrder, isNew));
}

/**
 * All processes add and lock shared rows in the same order. PostgreSQL would abort one of two statements that wait for each other's keys.
 */
const keyOf = (row: TurnRows["runs"][number]): string => ("request_key" in row ? row.request_key : null) ?? row.run_id;
