import type { MigrationStep } from "@crosszone/sql";

/** Turns of runs that are retried because they did not complete. A row that remains means that the turn crashed its process. */
export interface WorkflowTurnTable {
  run_id: string;
  /** The task whose result the turn processes, or `time`. */
  cause: string;
  /** How often the turn was retried. */
  attempts: number;
  /** When the turn last started, Unix milliseconds by the database's clock. */
  begun_at: number;
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
