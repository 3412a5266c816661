import { now, type Engine } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A run whose timer is due. */
export interface DueRun {
  readonly runId: string;
  /** How long the timer has been due, milliseconds. */
  readonly lateMs: number;
}

/** Returns the runs whose timers are due, those that have waited longest first. */
export async function findDueRuns(db: Kysely<WorkflowTables>, engine: Engine, most: number): Promise<DueRun[]> {
  const { rows } = await sql<{ run_id: string; late: number }>`
    select run_id, ${now(engine)} - due_at as late from workflow_run
    where due_at <= (select ${now(engine)}) order by due_at limit ${most}`.execute(db);
  return rows.map(({ run_id, late }) => ({ runId: run_id, lateMs: late }));
}
