import { rowsStatement, type ColumnKind, type Engine } from "@crosszone/sql";
import type { Transaction } from "kysely";
import type { ChangingRunRow, RunRow } from "./run-row.ts";
import type { StepRow } from "./step-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

const changingColumns = {
  run_id: "text",
  state: "text",
  revision: "bigint",
  state_revision: "bigint",
  last_request: "text",
  due_at: "bigint",
  updated_at: "bigint",
  started_at: "bigint",
  ended_at: "bigint",
  deadline_at: "bigint",
  bytes: "bigint",
  output: "text",
  error: "text",
} as const satisfies Record<keyof ChangingRunRow, ColumnKind>;

const runColumns = {
  ...changingColumns,
  request_key: "text",
  workflow_id: "text",
  version: "text",
  name: "text",
  created_at: "bigint",
  team: "text",
  correlation_id: "text",
  record: "text",
  definition: "text",
  input: "text",
} as const satisfies Record<keyof RunRow, ColumnKind>;

const stepColumns = {
  run_id: "text",
  path: "text",
  attempt: "bigint",
  state: "text",
  revision: "bigint",
  task_id: "text",
  started_at: "bigint",
  ended_at: "bigint",
  team: "text",
  record: "text",
  input: "text",
  output: "text",
  error: "text",
} as const satisfies Record<keyof StepRow, ColumnKind>;

const names = (columns: object): string => Object.keys(columns).join(", ");

const adding = rowsStatement({
  columns: runColumns,
  text: (rows) => `insert into workflow_run (${names(runColumns)})
    select ${names(runColumns)} from ${rows} where true on conflict do nothing returning run_id`,
});

const { run_id: _key, ...set } = changingColumns;

const changing = rowsStatement({
  columns: changingColumns,
  text: (rows) =>
    `update workflow_run set ${Object.keys(set)
      .map((name) => `${name} = new.${name}`)
      .join(", ")} from ${rows} where workflow_run.run_id = new.run_id`,
});

const putting = rowsStatement({
  columns: stepColumns,
  text: (rows) => `insert into workflow_step (${names(stepColumns)})
    select ${names(stepColumns)} from ${rows} where true on conflict (run_id, path, attempt) do update set
      state = excluded.state, revision = excluded.revision, started_at = excluded.started_at,
      ended_at = excluded.ended_at, record = excluded.record, output = excluded.output, error = excluded.error,
      task_id = coalesce(excluded.task_id, workflow_step.task_id),
      input = coalesce(excluded.input, workflow_step.input)`,
});

/**
 * Adds runs; gives the ids of those that were added. One whose id or request key is there already is not. What may be there already is
 * added in one order by all: of two transactions that wait for a key of the other's PostgreSQL would end one.
 */
export async function addRuns(
  transaction: Transaction<WorkflowTables>,
  engine: Engine,
  rows: readonly RunRow[],
): Promise<ReadonlySet<string>> {
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const added = await adding<{ readonly run_id: string }>(transaction, engine, inOrder);
  return new Set(added.map(({ run_id }) => run_id));
}

/** A repeated request is recognized by its request key, or by the run's id. */
const keyOf = ({ request_key, run_id }: RunRow): string => request_key ?? run_id;

/** Stores changed runs. The caller has locked their rows. */
export async function changeRuns(
  transaction: Transaction<WorkflowTables>,
  engine: Engine,
  rows: readonly ChangingRunRow[],
): Promise<void> {
  await changing(transaction, engine, rows);
}

/** Adds or updates steps, each once. Keeps the stored input when the row has none. */
export async function putSteps(
  transaction: Transaction<WorkflowTables>,
  engine: Engine,
  rows: readonly StepRow[],
): Promise<void> {
  await putting(transaction, engine, rows);
}
