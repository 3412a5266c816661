import {
  agentCallJob,
  type CallEnds,
  type CallIntake,
  executionJobs,
  type ExecutionColumn,
  latestJobsStep,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { auditStep } from "@crosszone/audit";
import { type JobWorker, openProcessJobs, JobStore, type JobTables } from "@crosszone/jobs";
import { createRecordCodec, type LogFields, type Vault } from "@crosszone/service-kit";
import { type Database, openDatabase } from "@crosszone/sql";
import { createWorkflows } from "../runner/create-workflows.ts";
import type { WorkflowLimits } from "../runner/start-run.ts";
import type { RunRow } from "../store/run-row.ts";
import { authorsStep, runTreesStep, workflowEventsStep, workflowsStep } from "../store/workflow-migrations.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { writeNewRuns } from "../store/write-runs.ts";

export interface ExecutorOptions {
  readonly limits?: Partial<WorkflowLimits>;
  /** For how long others wait for this process, if it dies, milliseconds. */
  readonly leaseMs?: number;
  readonly vault?: Vault;
  readonly agentNames?: () => Promise<readonly string[]>;
  /** Wraps the intake of calls, to refuse some. */
  readonly intakeOf?: (intake: CallIntake) => CallIntake;
  /** Wraps the database, to lose writes. */
  readonly databaseOf?: (database: Database<ExecutorTables>) => Database<ExecutorTables>;
}

/** An executor in this process. */
export type Executor = Awaited<ReturnType<typeof newExecutor>>;

const defaults: WorkflowLimits = {
  deadlineMs: 600_000,
  stepTimeoutMs: 300_000,
  maxRunning: 50,
  maxRunBytes: 50_000_000,
  retentionMs: 3_600_000,
};

export async function newExecutor(url: string, options: ExecutorOptions = {}) {
  const { limits, leaseMs = 10_000, vault, agentNames } = options;
  const { intakeOf = (intake) => intake, databaseOf = (database) => database } = options;
  const database = databaseOf(await openWorkflowDatabase(url));
  /** A bridge in this process: its intake and its worker. */
  let bridge: { readonly enter: CallIntake["enter"]; readonly worker: Pick<JobWorker, "check" | "stop"> } | undefined;
  let isStarted = false;
  const jobs = openProcessJobs({ database, schema: executionJobs, leaseMs });
  const codec = createRecordCodec(vault);
  /** The events that were reported, in order. */
  const emitted: [event: string, fields?: LogFields][] = [];
  const created = createWorkflows({
    jobs,
    database,
    vault,
    emit: (event, ...[fields]) => void emitted.push([event, fields]),
    // Without a bridge in this process, calls wait for other processes.
    intake: intakeOf({
      enter: async (call) =>
        bridge?.enter(call) ?? { job: agentCallJob(call, "ready", codec), settle: () => undefined },
      cancel: async () => bridge?.worker.check(),
    }),
    limits: { ...defaults, ...limits },
    agentNames,
  });
  const start = (): void => {
    isStarted = true;
    created.start();
  };
  const workflows = { ...created, start };
  /** Receives ends of calls: its workflows if they are started, else other processes. */
  const ends: CallEnds = { end: (_, end) => (isStarted ? created.endCall(end) : created.handOver(end)) };
  await jobs.start();
  const close = async (): Promise<void> => {
    await Promise.all([bridge?.worker.stop(0), created.stop(5_000)]);
    await jobs.stop();
    await database.close();
  };
  /** Gives this process the role `bridge`. Without it, calls wait for other processes. */
  const useBridge = (given: NonNullable<typeof bridge>): void => void (bridge = given);
  return { database, jobs, codec, ends, workflows, emitted, useBridge, close };
}

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
  tree_id: null,
  parent_id: null,
  record: "{}",
  definition: "{}",
  input: "{}",
};

/** Returns the row of an open run with these members. */
export function runRow(said: Pick<RunRow, "run_id"> & Partial<RunRow>): RunRow {
  return { request_key: null, people: "", ...rest, ...open, ...notYet, ...said };
}

export type ExecutorTables = ExecutionJobTables & WorkflowTables;

/** Opens a database with the tables of runs and their calls only. */
export function openWorkflowDatabase(url: string): Promise<Database<ExecutorTables>> {
  return openDatabase<ExecutorTables>({
    url,
    schema: "workflow",
    migrations: {
      "0001_workflows": workflowsStep,
      "0002_jobs": latestJobsStep,
      "0003_audit": auditStep,
      "0004_events": workflowEventsStep,
      "0005_add_run_trees": runTreesStep,
      "0006_add_authors": authorsStep,
    },
    onIdleError: () => undefined,
  });
}
