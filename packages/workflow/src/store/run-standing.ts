import type { Kysely } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

/** Revision of a run, and whether it has ended. */
export interface RunStanding {
  readonly revision: number;
  readonly hasEnded: boolean;
}

/** Returns the standings of runs by id, in one small query. Missing runs are left out. */
export async function readStandings(
  db: Kysely<WorkflowTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunStanding>> {
  const runs = db.selectFrom("workflow_run").select(["run_id", "revision", "ended_at"]);
  const rows = await runs.where("run_id", "in", ids).execute();
  return new Map(rows.map(({ run_id, revision, ended_at }) => [run_id, { revision, hasEnded: ended_at !== null }]));
}
