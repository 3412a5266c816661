import type { RunRow } from "../store/run-row.ts";

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
