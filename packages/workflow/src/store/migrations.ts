import type { Engine, MigrationStep } from "@crosszone/sql";
import { type Kysely, sql } from "kysely";

/** Creates the tables of workflows and their runs. */
export const workflowsStep: MigrationStep = {
  up: async (db, engine) => {
    await createWorkflowTable(db);
    await createRunTable(db);
    await createStepTable(db);
    await createIndexes(db, engine);
  },
  down: async (db) => {
    await db.schema.dropTable("workflow_step").execute();
    await db.schema.dropTable("workflow_run").execute();
    await db.schema.dropTable("workflow").execute();
  },
};

async function createWorkflowTable(db: Kysely<never>): Promise<void> {
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

async function createIndexes(db: Kysely<never>, engine: Engine): Promise<void> {
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
}

/** Creates the table of retried turns. */
export const workflowTurnsStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("workflow_turn")
      .addColumn("run_id", "text", (column) => column.notNull().references("workflow_run.run_id").onDelete("cascade"))
      .addColumn("cause", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("begun_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("workflow_turn_pk", ["run_id", "cause"])
      .execute();
  },
  down: async (db) => {
    await db.schema.dropTable("workflow_turn").execute();
  },
};

/**
 * Keeps room in PostgreSQL's pages for the next version of their rows, so that the change of a run or a step updates no index.
 * https://www.postgresql.org/docs/current/storage-hot.html
 */
export const workflowWritesStep: MigrationStep = {
  up: async (db, engine) => {
    if (engine === "sqlite") return;
    await sql`alter table workflow_run set (fillfactor = 60)`.execute(db);
    await sql`alter table workflow_step set (fillfactor = 80)`.execute(db);
  },
  down: async (db, engine) => {
    if (engine === "sqlite") return;
    await sql`alter table workflow_step reset (fillfactor)`.execute(db);
    await sql`alter table workflow_run reset (fillfactor)`.execute(db);
  },
};
