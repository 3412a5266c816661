import { now, type Engine } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

/** Which runs want to be told the time, those that have waited longest first. */
export async function findDueRuns(db: Kysely<WorkflowTables>, engine: Engine, most: number): Promise<string[]> {
  const { rows } = await sql<{ run_id: string }>`
    select run_id from workflow_run where due_at <= (select ${now(engine)}) order by due_at limit ${most}`.execute(db);
  return rows.map(({ run_id }) => run_id);
}
