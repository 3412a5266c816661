import type { MigrationStep } from "@crosszone/sql";

/** Turns of runs that are taken again because nothing became of them: what is left here ended its process. */
export interface WorkflowTurnTable {
  run_id: string;
  /** What the turn is about: the task whose result came, or `time`. */
  cause: string;
  /** How often it was begun again. */
  attempts: number;
  /** When it was begun last, Unix milliseconds by the database's clock. */
  begun_at: number;
}

/** Makes the table of turns that are taken again. */
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
