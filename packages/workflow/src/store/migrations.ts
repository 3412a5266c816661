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
