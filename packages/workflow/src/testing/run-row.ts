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

const open = {
  state: "running",
  revision: 0,
  state_revision: 0,
  last_request: null,
  due_at: null,
  created_at: 1,
  updated_at: 1,
} as const;
const notYet = { started_at: null, ended_at: null, deadline_at: null, bytes: 2, output: null, error: null, team: null };
const rest = {
  workflow_id: "w",
  version: "1",
  name: "W",
  correlation_id: "c",
  record: "{}",
  definition: "{}",
  input: "{}",
};

/** Returns the row of an open run with these members. */
export function runRow(said: Pick<RunRow, "run_id"> & Partial<RunRow>): RunRow {
  return { request_key: null, ...rest, ...open, ...notYet, ...said };
}
