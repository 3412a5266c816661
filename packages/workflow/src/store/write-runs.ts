import { rowsFromJson, type ColumnKind, type Engine } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
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

const names = (columns: object) => sql.join(Object.keys(columns).map((name) => sql.id(name)));

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
  const added = await sql<{ run_id: string }>`
    insert into workflow_run (${names(runColumns)})
    select ${names(runColumns)} from ${rowsFromJson(engine, inOrder.map(plain), { alias: "new", columns: runColumns })}
    where true on conflict do nothing returning run_id`.execute(transaction);
  return new Set(added.rows.map(({ run_id }) => run_id));
}

/** Who sends a run again names it by its request key, or by its id. */
const keyOf = ({ request_key, run_id }: RunRow): string => request_key ?? run_id;

/** Writes what changed of runs; whoever calls has their rows locked. */
export async function changeRuns(
  transaction: Transaction<WorkflowTables>,
  engine: Engine,
  rows: readonly ChangingRunRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const set = Object.keys(changingColumns).filter((name) => name !== "run_id");
  await sql`
    update workflow_run set ${sql.join(set.map((name) => sql`${sql.id(name)} = ${sql.ref(`new.${name}`)}`))}
    from ${rowsFromJson(engine, rows.map(plain), { alias: "new", columns: changingColumns })}
    where workflow_run.run_id = new.run_id`.execute(transaction);
}

/** Adds steps, or changes them; each once. What a step was given stays when the row does not say. */
export async function putSteps(
  transaction: Transaction<WorkflowTables>,
  engine: Engine,
  rows: readonly StepRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into workflow_step (${names(stepColumns)})
    select ${names(stepColumns)} from ${rowsFromJson(engine, rows.map(plain), { alias: "new", columns: stepColumns })}
    where true on conflict (run_id, path, attempt) do update set
      state = excluded.state, revision = excluded.revision, started_at = excluded.started_at,
      ended_at = excluded.ended_at, record = excluded.record, output = excluded.output, error = excluded.error,
      task_id = coalesce(excluded.task_id, workflow_step.task_id),
      input = coalesce(excluded.input, workflow_step.input)`.execute(transaction);
}

/** As a table expression takes it. */
const plain = (row: object): Record<string, string | number | null> => ({ ...row });
