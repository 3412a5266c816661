import { executionJobsStep, type ExecutionJobTables } from "@crosszone/jobs";
import { type Database, openDatabase } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { WorkflowObserver } from "../runner/workflow-observer.ts";
import { workflowsStep } from "../store/migrations.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { RunRow } from "../store/run-row.ts";
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

/** The calls of an observer, by name. */
export type ObservedEvents = readonly (readonly [name: keyof WorkflowObserver, ...observed: readonly unknown[]])[];

/** Returns an observer that records its calls. */
export function recordingObserver(): { readonly observer: WorkflowObserver; readonly observed: ObservedEvents } {
  const observed: [keyof WorkflowObserver, ...unknown[]][] = [];
  const record =
    (name: keyof WorkflowObserver) =>
    (...what: readonly unknown[]): void =>
      void observed.push([name, ...what]);
  const observer: WorkflowObserver = {
    runStarted: record("runStarted"),
    runReopened: record("runReopened"),
    runEnded: record("runEnded"),
    stepChanged: record("stepChanged"),
    runBroken: record("runBroken"),
    runUnreadable: record("runUnreadable"),
    resultUnreadable: record("resultUnreadable"),
    storeFailed: record("storeFailed"),
    timerFailed: record("timerFailed"),
  };
  return { observer, observed };
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
    },
    onIdleError: () => undefined,
  });
}
