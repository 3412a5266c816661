import { auditStep } from "@crosszone/audit";
import type { Emit, LogFields } from "@crosszone/service-kit";
import {
  type ExecutionColumn,
  executionJobs,
  executionJobsStep,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { JobStore, type JobTables } from "@crosszone/jobs";
import { type Database, openDatabase } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import { workflowsStep } from "../store/migrations.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { RunRow } from "../store/run-row.ts";
import { writeNewRuns } from "../store/write-runs.ts";

/** Returns the store of a process without a lease. */
export const jobsOf = <Tables>(database: Database<Tables>, owner = "me"): JobStore<ExecutionColumn> =>
  new JobStore({ database: database as unknown as Database<JobTables>, lease: { owner }, schema: executionJobs });

/** Turns without steps and calls. */
export const nothing = { parts: [], done: [], dropped: [], added: [] };

/** Stores runs without steps. Returns the ids of those that were added. */
export async function addRuns<Tables extends WorkflowTables>(
  database: Database<Tables>,
  runs: readonly RunRow[],
): Promise<ReadonlySet<string>> {
  return (await writeNewRuns(jobsOf(database), { ...nothing, units: runs })).units;
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

/** Called with each write of turns. Commits it or not, and returns its result or throws. */
type FaultyWrite = <Result>(commit: () => Promise<Result>, rollBack: () => Promise<never>) => Promise<Result>;

/** A database whose writes of turns pass `write`. */
export function faultyDatabase<Tables>(database: Database<Tables>, write: FaultyWrite): Database<Tables> {
  const refuse = async (): Promise<never> => {
    throw lostLine();
  };
  const executeQuery = (query: CompiledQuery): Promise<unknown> =>
    write(() => database.prepared.executeQuery(query), refuse);
  const prepared = { executeQuery } as unknown as Database<Tables>["prepared"];
  const transaction: Database<Tables>["transaction"] = (run) =>
    write(
      () => database.transaction(run),
      () =>
        database.transaction(async (held) => {
          await run(held);
          throw lostLine();
        }),
    );
  return { ...database, prepared, transaction };
}

/** The error of a lost connection. */
export const lostLine = (): Error => Object.assign(new Error("the line is gone"), { code: "ECONNRESET" });

/** The events that were reported, in order. */
export type EmittedEvents = readonly (readonly [event: string, fields?: LogFields])[];

/** Returns a function that records what is reported. */
export function recordingEmit(): { readonly emit: Emit; readonly emitted: EmittedEvents } {
  const emitted: [string, LogFields?][] = [];
  return { emit: (event, ...[fields]) => void emitted.push([event, fields]), emitted };
}

export type ExecutorTables = ExecutionJobTables & WorkflowTables;

/** Opens a database with the tables of runs and their calls only. */
export function openWorkflowDatabase(url: string): Promise<Database<ExecutorTables>> {
  return openDatabase<ExecutorTables>({
    url,
    schema: "workflow",
    migrations: {
      "0001_workflows": workflowsStep,
      "0002_jobs": executionJobsStep,
      "0003_audit": auditStep,
    },
    onIdleError: () => undefined,
  });
}
