import type { RunState, StepState } from "@crosszone/contracts";
import { type MigrationStep, tablesStep } from "@crosszone/sql";
import { type Kysely, sql } from "kysely";

/** Creates and drops the tables of workflows, their runs, steps and retried turns. */
export const workflowsStep: MigrationStep = tablesStep(
  ["workflow", "workflow_run", "workflow_step", "workflow_turn"],
  async (db, engine) => {
    await createWorkflowTable(db);
    await createRunTable(db);
    await createStepTable(db);
    await createTurnTable(db);
    for (const index of indexes) await sql.raw(index).execute(db);
    if (engine === "postgres") for (const setting of postgresSettings) await sql.raw(setting).execute(db);
  },
);

async function createWorkflowTable(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("workflow")
    .addColumn("workflow_id", "text", (column) => column.notNull())
    .addColumn("version", "text", (column) => column.notNull())
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("definition", "text", (column) => column.notNull())
    .addColumn("summary", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("workflow_pk", ["workflow_id", "version"])
    .addUniqueConstraint("workflow_numbered", ["workflow_id", "number"])
    .execute();
}

async function createRunTable(db: Kysely<never>): Promise<void> {
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
    .addColumn("people", "text", (column) => column.notNull())
    .addColumn("correlation_id", "text", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .addColumn("definition", "text", (column) => column.notNull())
    .addColumn("input", "text", (column) => column.notNull())
    .addColumn("output", "text")
    .addColumn("error", "text")
    .execute();
}

async function createStepTable(db: Kysely<never>): Promise<void> {
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
}

async function createTurnTable(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("workflow_turn")
    .addColumn("run_id", "text", (column) => column.notNull().references("workflow_run.run_id").onDelete("cascade"))
    .addColumn("cause", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("begun_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("workflow_turn_pk", ["run_id", "cause"])
    .execute();
}

const indexes = [
  "create index workflow_run_due on workflow_run (due_at) where due_at is not null",
  "create index workflow_run_ended on workflow_run (ended_at) where ended_at is not null",
  "create index workflow_run_by_state on workflow_run (state, created_at)",
  "create index workflow_run_by_workflow on workflow_run (workflow_id, created_at)",
  "create index workflow_run_by_correlation on workflow_run (correlation_id, created_at)",
  "create index workflow_run_latest on workflow_run (created_at)",
  "create index workflow_run_by_team on workflow_run (team) where team is not null",
  "create index workflow_step_by_team on workflow_step (team) where team is not null",
];

/**
 * PostgreSQL would compress text of more than 2 KB, which is wasted on a row that soon changes again. The room in its pages is for the next
 * version of their rows, so that the change of a run or a step updates no index. https://www.postgresql.org/docs/current/storage-hot.html
 */
const postgresSettings = [
  ...["workflow_run", "workflow_step"].flatMap((table) =>
    ["input", "output"].map((column) => `alter table ${table} alter column ${column} set storage external`),
  ),
  "alter table workflow_run set (fillfactor = 60)",
  "alter table workflow_step set (fillfactor = 80)",
];

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
  /** Its `name`, `description` and `input_schema` for lists, JSON. */
  summary: string;
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
  /** Its requester, see `peopleColumn`. */
  people: string;
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

/** Turns of runs that are retried because they did not complete. A row that remains means that the turn crashed its process. */
interface WorkflowTurnTable {
  run_id: string;
  /** The task whose result the turn processes, or `time`. */
  cause: string;
  /** How often the turn was retried. */
  attempts: number;
  /** When the turn last started, Unix milliseconds by the database's clock. */
  begun_at: number;
}

export interface WorkflowTables {
  workflow: WorkflowTable;
  workflow_run: WorkflowRunTable;
  workflow_step: WorkflowStepTable;
  workflow_turn: WorkflowTurnTable;
}
