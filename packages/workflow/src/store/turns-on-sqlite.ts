import { nowText, rowsStatement, type RowsStatement, type WriteRow } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
import { addCallsText, callColumns, dropCallsText, endedColumns, keepEndsText } from "./call-texts.ts";
import { findHeldCalls } from "./held-calls.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import {
  addRunsText,
  droppedColumns,
  movedColumns,
  moveRunsText,
  putStepsText,
  runColumns,
  stepColumns,
  type MovedRunRow,
  type TurnRows,
  type WrittenTurns,
} from "./write-runs.ts";
import type { RunRow } from "./run-row.ts";

const addRuns = rowsStatement({ columns: runColumns, text: addRunsText });
const moveRuns = rowsStatement({
  columns: movedColumns,
  text: (rows) => `update workflow_run set ${moveRunsText} from ${rows} where workflow_run.run_id = new.run_id
    and workflow_run.revision = new.expected_revision and workflow_run.created_at = new.created_at returning run_id`,
});
const putSteps = rowsStatement({ columns: stepColumns, text: putStepsText });
const forgetEnds = rowsStatement({
  columns: { id: "text" },
  text: (rows) => `delete from job where trial is null and id in (select id from ${rows})`,
});
const keepEnds = rowsStatement({ columns: endedColumns, text: keepEndsText });
const dropCalls = rowsStatement({ columns: droppedColumns, text: dropCallsText });
const addCalls = rowsStatement({
  columns: callColumns,
  text: (rows, engine) => `${addCallsText(rows, engine)} returning id`,
});

/** Writes turns in a transaction, statement by statement. Leaves out runs that are not as expected. */
export async function writeOnSqlite(
  transaction: Transaction<WorkflowTables>,
  rows: TurnRows,
  isNew: boolean,
): Promise<WrittenTurns> {
  const run = async <Column extends string>(
    statement: RowsStatement<Column>,
    all: readonly WriteRow<Column>[],
  ): Promise<readonly { readonly id: string; readonly run_id: string }[]> =>
    all.length === 0 ? [] : statement(transaction, "sqlite", all);

  const held = await findHeldCalls(transaction, "sqlite", rows.ended);
  const lost = new Set(rows.ended.filter(({ id }) => !held.has(id as string)).map(({ run_id }) => run_id));
  const kept = rows.runs.filter(({ run_id }) => !lost.has(run_id));
  const written = await (isNew ? run(addRuns, kept as RunRow[]) : run(moveRuns, kept as MovedRunRow[]));
  const runs = new Set(written.map(({ run_id }) => run_id));
  const ended = rows.ended.filter(({ run_id }) => runs.has(run_id as string));
  await run(forgetEnds, ended as readonly WriteRow<"id">[]);
  await run(keepEnds, ended);
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
