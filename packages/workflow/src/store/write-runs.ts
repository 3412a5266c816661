import { type ExecutionColumn, executionJobs } from "@crosszone/agent-calls";
import { type Batch, batchStatement, type ClockJump, type JobStore, type WrittenBatch } from "@crosszone/jobs";
import type { ColumnKind, Engine, WriteRow } from "@crosszone/sql";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { changingColumns, type ChangingRunRow, type RunRow, type StepRow } from "./run-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

type Columns<Row> = Readonly<Record<keyof Row, ColumnKind>>;

/** The row of a changed run, with the state in which it must still be. */
export interface MovedRunRow extends ChangingRunRow {
  readonly expected_revision: number;
  readonly created_at: number;
}

const movedColumns: Columns<MovedRunRow> = { ...changingColumns, expected_revision: "bigint", created_at: "bigint" };

const runColumns: Columns<RunRow> = {
  ...changingColumns,
  request_key: "text",
  workflow_id: "text",
  version: "text",
  name: "text",
  created_at: "bigint",
  team: "text",
  people: "text",
  correlation_id: "text",
  tree_id: "text",
  parent_id: "text",
  record: "text",
  definition: "text",
  input: "text",
};

const stepColumns: Columns<StepRow> = {
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
};

/**
 * Returns the statements that move the deadlines of runs and their steps after a jump of the database's clock. A step that waits for a moment
 * of the calendar keeps its timer, and its run the earlier one: an event that comes too soon only sets it anew.
 */
export function moveRunDeadlines(engine: Engine, { ms, isBefore }: ClockJump): readonly RawBuilder<unknown>[] {
  const by = sql.lit(ms);
  const isMoved = sql`ended_at is null and ${isBefore("updated_at")}`;
  const [earlier, isMoment, dueAt, moved] =
    engine === "sqlite"
      ? [
          sql`min`,
          sql`coalesce(json_extract(record, '$.is_moment'), 0) = 1`,
          sql`json_extract(record, '$.due_at')`,
          sql`json_set(record, '$.due_at', json_extract(record, '$.due_at') + ${by})`,
        ]
      : [
          sql`least`,
          sql`coalesce(record::jsonb ->> 'is_moment', 'false') = 'true'`,
          sql`(record::jsonb ->> 'due_at')`,
          sql`jsonb_set(record::jsonb, '{due_at}', to_jsonb((record::jsonb ->> 'due_at')::bigint + ${by}))::text`,
        ];
  return [
    sql`
      update workflow_step set record = ${moved} where ended_at is null and ${dueAt} is not null
        and not ${isMoment} and run_id in (select run_id from workflow_run where ${isMoved})`,
    // The revision, because processes have runs in memory.
    sql`
      update workflow_run set due_at = case when exists (
          select 1 from workflow_step where workflow_step.run_id = workflow_run.run_id and ended_at is null and ${isMoment})
          then ${earlier}(due_at, due_at + ${by}) else due_at + ${by} end, deadline_at = deadline_at + ${by}, updated_at = updated_at + ${by},
        revision = revision + 1 where ${isMoved}`,
  ];
}

const names = (columns: object): string => Object.keys(columns).join(", ");

const { run_id: _key, ...set } = changingColumns;
const moved = Object.keys(set).map((name) => `${name} = new.${name}`);
/** `+` keeps PostgreSQL from looking for the run in the index of times, where many runs can have the same. */
const isAsExpected = `workflow_run.run_id = new.run_id and workflow_run.revision = new.expected_revision
  and +workflow_run.created_at = new.created_at`;

/** The attempts at steps. Keeps the stored task and input when a row has none. */
const parts = {
  columns: stepColumns,
  write: (rows: string) => `insert into workflow_step (${names(stepColumns)})
    select ${names(stepColumns)} from ${rows} where true on conflict (run_id, path, attempt) do update set
      state = excluded.state, revision = excluded.revision, started_at = excluded.started_at,
      ended_at = excluded.ended_at, record = excluded.record, output = excluded.output, error = excluded.error,
      task_id = coalesce(excluded.task_id, workflow_step.task_id),
      input = coalesce(excluded.input, workflow_step.input)`,
};

const newRuns = batchStatement(executionJobs, {
  unit: "run_id",
  units: {
    table: "workflow_run",
    columns: runColumns,
    write: (rows) => `insert into workflow_run (${names(runColumns)})
      select ${names(runColumns)} from ${rows} where true on conflict do nothing`,
  },
  parts,
});

const movedRuns = batchStatement(executionJobs, {
  unit: "run_id",
  units: {
    table: "workflow_run",
    columns: movedColumns,
    where: isAsExpected,
    write: (rows) => `update workflow_run set ${moved.join(", ")} from ${rows} where ${isAsExpected}`,
  },
  parts,
});

type Jobs = JobStore<ExecutionColumn>;
type Turns<Row> = Batch<ExecutionColumn, Extract<keyof Row, string>, keyof StepRow>;

/** Adds runs with their steps and calls. A run whose id or request key exists is left out, with all that belongs to it. */
export function writeNewRuns(
  jobs: Jobs,
  turns: Turns<RunRow>,
  transaction?: Transaction<WorkflowTables>,
): Promise<WrittenBatch> {
  // All processes add shared keys in the same order. PostgreSQL would abort one of two statements that wait for each other's keys.
  const units = turns.units.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return jobs.batch(newRuns, { ...turns, units }, transaction);
}

const keyOf = ({ request_key, run_id }: WriteRow<"request_key" | "run_id">): string => String(request_key ?? run_id);

/**
 * Changes runs together with their steps and calls. A run that another process has changed, or whose ending call this process no longer
 * leases, stays as it is, with all that belongs to it.
 */
export function writeMovedRuns(
  jobs: Jobs,
  turns: Turns<MovedRunRow>,
  transaction?: Transaction<WorkflowTables>,
): Promise<WrittenBatch> {
  return jobs.batch(movedRuns, turns, transaction);
}
