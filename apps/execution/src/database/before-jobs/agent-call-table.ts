import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";

/** Creates and drops the table `agent_call`, which the table `job` has replaced. */
export const agentCallsStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("agent_call")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("agent", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("owner", "text")
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("deadline_at", "bigint", (column) => column.notNull())
      .addColumn("finished_at", "bigint")
      .addColumn("team", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .addColumn("input", "text")
      .addColumn("remote_id", "text")
      .addColumn("output", "text")
      .execute();
    // PostgreSQL would compress text of more than 2 KB, which isn't worth the CPU time for rows that live for a day.
    if (engine === "postgres")
      for (const column of ["record", "input", "output"])
        await sql`alter table agent_call alter column ${sql.id(column)} set storage external`.execute(db);
    await sql`create index agent_call_open on agent_call (agent, lease_until, created_at) where finished_at is null`.execute(
      db,
    );
    await sql`create index agent_call_finished on agent_call (finished_at) where finished_at is not null`.execute(db);
    await sql`create index agent_call_by_team on agent_call (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("agent_call").execute();
  },
};

/** Adds and drops the columns for a task's files and progress. */
export const agentCallFilesStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema.alterTable("agent_call").addColumn("files", "text").execute();
    await db.schema.alterTable("agent_call").addColumn("progress", "text").execute();
    if (engine === "postgres") await sql`alter table agent_call alter column files set storage external`.execute(db);
  },
  down: async (db) => {
    await db.schema.alterTable("agent_call").dropColumn("progress").execute();
    await db.schema.alterTable("agent_call").dropColumn("files").execute();
  },
};

/** Adds and drops the columns for how a call ended. */
export const agentCallEndsStep: MigrationStep = {
  up: async (db) => {
    await db.schema.alterTable("agent_call").addColumn("agent_attempts", "integer").execute();
    await db.schema.alterTable("agent_call").addColumn("error_kind", "text").execute();
  },
  down: async (db) => {
    await db.schema.alterTable("agent_call").dropColumn("error_kind").execute();
    await db.schema.alterTable("agent_call").dropColumn("agent_attempts").execute();
  },
};

/** Adds and drops the columns for how a call is sent, and how long it took. */
export const agentCallWaysStep: MigrationStep = {
  up: async (db) => {
    await db.schema.alterTable("agent_call").addColumn("way", "text").execute();
    await db.schema.alterTable("agent_call").addColumn("trial", "text").execute();
    await db.schema.alterTable("agent_call").addColumn("took_ms", "bigint").execute();
    await sql`create index agent_call_by_trial on agent_call (trial, finished_at) where trial is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropIndex("agent_call_by_trial").execute();
    await db.schema.alterTable("agent_call").dropColumn("took_ms").execute();
    await db.schema.alterTable("agent_call").dropColumn("trial").execute();
    await db.schema.alterTable("agent_call").dropColumn("way").execute();
  },
};
