import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";

/** Tasks that were put on the bus and wait for their result. Times are Unix milliseconds, by the database's clock. */
export interface AgentWaitTable {
  /** The task's own id, which is run and task on the bus. */
  task_id: string;
  /** Digest of the team that it was asked in. */
  team: string | null;
  /** When the bridge was told that nobody waits any more. */
  canceled_at: number | null;
  finished_at: number | null;
  /** An `AgentResult`, JSON, may be sealed. */
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
    // A row lives for a task: shrinking its text is work that is not repaid.
    if (engine === "postgres") await sql`alter table agent_wait alter column result set storage external`.execute(db);
    await sql`create index agent_wait_by_team on agent_wait (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("agent_wait").execute();
  },
};
