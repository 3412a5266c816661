import type { ColumnKind, WriteRow } from "@crosszone/sql";
import { changingColumns, type ChangingRunRow, type RunRow } from "./run-row.ts";
import type { StepRow } from "./step-row.ts";

type Columns<Row> = Readonly<Record<keyof Row, ColumnKind>>;

/** The row of a changed run, with the state in which it must still be. */
export interface MovedRunRow extends ChangingRunRow {
  readonly expected_revision: number;
  readonly created_at: number;
  /** How many calls end with the change. This process must lease all of them. */
  readonly ending_calls: number;
}

export const movedColumns: Columns<MovedRunRow> = {
  ...changingColumns,
  expected_revision: "bigint",
  created_at: "bigint",
  ending_calls: "bigint",
};

export const runColumns: Columns<RunRow> = {
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
};

export const stepColumns: Columns<StepRow> = {
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

/** A call that another event makes superfluous. */
export interface DroppedCall {
  readonly run_id: string;
  readonly id: string;
  readonly outcome: string;
}

export const droppedColumns: Columns<DroppedCall> = { run_id: "text", id: "text", outcome: "text" };

/** Runs, and the steps and calls that change with them. */
export interface TurnRows {
  /** For new runs `RunRow`, else `MovedRunRow`. */
  readonly runs: readonly (RunRow | MovedRunRow)[];
  readonly steps: readonly StepRow[];
  /** Calls that end because their result is applied; rows of `endRow`, with `run_id`. */
  readonly ended: readonly WriteRow<string>[];
  /** Calls that end, also those that other processes lease. */
  readonly dropped: readonly DroppedCall[];
  /** New calls, rows of `insertRow`. */
  readonly calls: readonly WriteRow<string>[];
}

/** The applied changes. The changes of one run apply as a whole. */
export interface WrittenTurns {
  readonly runs: ReadonlySet<string>;
  /** Ids of new calls that were stored. */
  readonly calls: ReadonlySet<string>;
  /** Now, by the database's clock. */
  readonly at: number;
}

const names = (columns: object): string => Object.keys(columns).join(", ");

/** Returns the text that adds runs from a table expression named `new`. */
export const addRunsText = (rows: string): string => `insert into workflow_run (${names(runColumns)})
  select ${names(runColumns)} from ${rows} where true on conflict do nothing returning run_id`;

const { run_id: _key, ...set } = changingColumns;

/** Returns the `set` clause that changes runs, from a table expression named `new`. */
export const moveRunsText: string = Object.keys(set)
  .map((name) => `${name} = new.${name}`)
  .join(", ");

/** Returns the text that adds or updates steps from a table expression named `new`. Keeps the stored input when a row has none. */
export const putStepsText = (rows: string): string => `insert into workflow_step (${names(stepColumns)})
  select ${names(stepColumns)} from ${rows} where true on conflict (run_id, path, attempt) do update set
    state = excluded.state, revision = excluded.revision, started_at = excluded.started_at,
    ended_at = excluded.ended_at, record = excluded.record, output = excluded.output, error = excluded.error,
    task_id = coalesce(excluded.task_id, workflow_step.task_id),
    input = coalesce(excluded.input, workflow_step.input)`;
