import type { RunState, StepState } from "@crosszone/contracts";
import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";
import type { WorkflowTurnTable } from "./turn-table.ts";

/** Versions of workflows. A stored version never changes. */
export interface WorkflowTable {
  workflow_id: string;
  version: string;
  /** 1, 2, 3 …: the highest is the latest version. */
  number: number;
  name: string;
  /** Unix milliseconds, by the database's clock. */
  created_at: number;
  /** The `WorkflowDefinition`, JSON. */
  definition: string;
}

/** Runs of workflows. Times are Unix milliseconds, by the database's clock. */
export interface WorkflowRunTable {
  run_id: string;
  /** Digest of the request's idempotency key or run id. */
  request_key: string | null;
  workflow_id: string;
  version: string;
  name: string;
  state: RunState;
  /** Increases by one with each change of the run or of a step. */
  revision: number;
  /** The revision in which the state last changed. */
  state_revision: number;
  /** The last request that changed the run, so that a repeated request is recognized. */
  last_request: string | null;
  /** When the next timer is due; null without a timer. */
  due_at: number | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  ended_at: number | null;
  deadline_at: number | null;
  /** Total size of its inputs, outputs and errors in all attempts, bytes of JSON. */
  bytes: number;
  /** Digest of the team that owns it. */
  team: string | null;
  correlation_id: string;
  /** The other immutable data, JSON: headers of its messages, limits. */
  record: string;
  /** The definition at the start of the run, JSON. */
  definition: string;
  /** JSON, may be sealed. */
  input: string;
  /** JSON, may be sealed. */
  output: string | null;
  /** A `RunProblem`, JSON, may be sealed. */
  error: string | null;
}

/** Every attempt at every instance of a step. Times are Unix milliseconds. */
export interface WorkflowStepTable {
  run_id: string;
  path: string;
  attempt: number;
  state: StepState;
  /** The run's revision in which it last changed. */
  revision: number;
  /** The task of an agent's step. */
  task_id: string | null;
  started_at: number | null;
  ended_at: number | null;
  team: string | null;
  /** Other data of the step, without text of people or agents, JSON. */
  record: string;
  /** The agent's input, JSON, may be sealed. */
  input: string | null;
  /** The agent's output, JSON, may be sealed. */
  output: string | null;
  /** A `RunProblem`, JSON, may be sealed. */
  error: string | null;
}

export interface WorkflowTables {
  workflow: WorkflowTable;
  workflow_run: WorkflowRunTable;
  workflow_step: WorkflowStepTable;
  workflow_turn: WorkflowTurnTable;
}

/** Creates the tables of workflows and their runs. */
export const workflowsStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("workflow")
      .addColumn("workflow_id", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("definition", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("workflow_pk", ["workflow_id", "version"])
      .addUniqueConstraint("workflow_numbered", ["workflow_id", "number"])
      .execute();
    await db.schema
      .createTable("workflow_run")
      .addColumn("run_id", "text", (column) => column.primaryKey())
      .addColumn("request_key", "text", (column) => column.unique())
      .addColumn("workflow_id", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("revision", "integer", (column) => column.notNull())
      .addColumn("state_revision", "integer", (column) => column.notNull())
      .addColumn("last_request", "text")
      .addColumn("due_at", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("started_at", "bigint")
      .addColumn("ended_at", "bigint")
      .addColumn("deadline_at", "bigint")
      .addColumn("bytes", "bigint", (column) => column.notNull())
      .addColumn("team", "text")
      .addColumn("correlation_id", "text", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .addColumn("definition", "text", (column) => column.notNull())
      .addColumn("input", "text", (column) => column.notNull())
      .addColumn("output", "text")
      .addColumn("error", "text")
      .execute();
    await db.schema
      .createTable("workflow_step")
      .addColumn("run_id", "text", (column) => column.notNull().references("workflow_run.run_id").onDelete("cascade"))
      .addColumn("path", "text", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("revision", "integer", (column) => column.notNull())
      .addColumn("task_id", "text")
      .addColumn("started_at", "bigint")
      .addColumn("ended_at", "bigint")
      .addColumn("team", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .addColumn("input", "text")
      .addColumn("output", "text")
      .addColumn("error", "text")
      .addPrimaryKeyConstraint("workflow_step_pk", ["run_id", "path", "attempt"])
      .execute();
    // PostgreSQL would compress text of more than 2 KB, which is wasted on a row that soon changes again.
    if (engine === "postgres")
      for (const column of ["input", "output"])
        for (const table of ["workflow_run", "workflow_step"])
          await sql`alter table ${sql.id(table)} alter column ${sql.id(column)} set storage external`.execute(db);
    await sql`create index workflow_run_due on workflow_run (due_at) where due_at is not null`.execute(db);
    await sql`create index workflow_run_ended on workflow_run (ended_at) where ended_at is not null`.execute(db);
    await sql`create index workflow_run_by_state on workflow_run (state, created_at)`.execute(db);
    await sql`create index workflow_run_by_workflow on workflow_run (workflow_id, created_at)`.execute(db);
    await sql`create index workflow_run_by_correlation on workflow_run (correlation_id, created_at)`.execute(db);
    await sql`create index workflow_run_latest on workflow_run (created_at)`.execute(db);
    await sql`create index workflow_run_by_team on workflow_run (team) where team is not null`.execute(db);
    await sql`create index workflow_step_by_team on workflow_step (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("workflow_step").execute();
    await db.schema.dropTable("workflow_run").execute();
    await db.schema.dropTable("workflow").execute();
  },
};
