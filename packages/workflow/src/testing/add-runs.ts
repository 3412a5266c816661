import type { Database } from "@crosszone/sql";
import type { RunRow } from "../store/run-row.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { writeTurns } from "../store/write-turns.ts";

/** Stores runs without steps. Returns the ids of those that were added. */
export async function addRuns<Tables extends WorkflowTables>(
  database: Database<Tables>,
  runs: readonly RunRow[],
): Promise<ReadonlySet<string>> {
  const { engine, prepared, transaction } = database as unknown as Database<WorkflowTables>;
  const rows = { runs, steps: [], ended: [], dropped: [], calls: [] };
  return (await writeTurns({ engine, prepared, transaction }, rows, { isNew: true })).runs;
}
