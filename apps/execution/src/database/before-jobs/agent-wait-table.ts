import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";

/**
 * Tasks that were published on the bus and wait for their result. Times are Unix milliseconds, by the database's clock.
 */
export interface AgentWaitTable {
  /** The task's id, used as run id and task id on the bus. */
  task_id: string;
  /** The task whose agent made this call. Null for the call of a task itself. */
  parent_task_id: string | null;
  /** Digest of the requester's team. */
  team: string | null;
  /** When the cancellation was published. */
  canceled_at: number | null;
  finished_at: number | null;
  /** An `AgentResult` as JSON, sealed if `DATA_KEYS` is set. */
  result: string | null;
}

export interface AgentWaitTables {
  agent_wait: AgentWaitTable;
}

export const agentWaitsStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("agent_wait")
      .addColumn("task_id", "text", (column) => column.primaryKey())
      .addColumn("team", "text")
      .addColumn("canceled_at", "bigint")
      .addColumn("finished_at", "bigint")
      .addColumn("result", "text")
      .execute();
    // Rows are short-lived, so compressing their text isn't worth the CPU time.
    if (engine === "postgres") await sql`alter table agent_wait alter column result set storage external`.execute(db);
    await sql`create index agent_wait_by_team on agent_wait (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("agent_wait").execute();
  },
};

/** Adds the task whose agent made a call. A call is stored for as long as that task is open. */
export const agentWaitParentsStep: MigrationStep = {
  up: async (db) => {
    await db.schema.alterTable("agent_wait").addColumn("parent_task_id", "text").execute();
  },
  down: async (db) => {
    await db.schema.alterTable("agent_wait").dropColumn("parent_task_id").execute();
  },
};
