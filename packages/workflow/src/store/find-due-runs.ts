import { now, type Engine } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A run whose timer is due. */
export interface DueRun {
  readonly runId: string;
  /** How long the timer has been due, milliseconds. */
  readonly lateMs: number;
}

/** The runs whose timers are due. */
export interface DueRuns {
  /** Those that have waited longest, first. */
  readonly due: readonly DueRun[];
  /** Time until the next timer of any run, milliseconds; undefined without one. */
  readonly nextInMs: number | undefined;
}

/** Returns up to `most` runs whose timers are due, and when the next one will be. */
export async function findDueRuns(db: Kysely<WorkflowTables>, engine: Engine, most: number): Promise<DueRuns> {
  const time = sql`(select ${now(engine)})`;
  const { rows } = await sql<{ run_id: string | null; late: number | null }>`
    select * from (select run_id, ${time} - due_at as late from workflow_run
      where due_at <= ${time} order by due_at limit ${most}) as due
    union all select null, ${time} - min(due_at) from workflow_run where due_at > ${time}`.execute(db);
  const due = rows.flatMap(({ run_id, late }) => (run_id === null ? [] : [{ runId: run_id, lateMs: late ?? 0 }]));
  const next = rows.find(({ run_id }) => run_id === null)?.late ?? undefined;
  return { due, nextInMs: next === undefined ? undefined : -next };
}
