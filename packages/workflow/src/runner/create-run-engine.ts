import { randomUUID } from "node:crypto";
import { isRunId } from "@crosszone/contracts";
import type { CallIntake, ExecutionColumn, JobLease, JobStore } from "@crosszone/jobs";
import type { Vault } from "@crosszone/service-kit";
import { type Database, retryBriefly } from "@crosszone/sql";
import { createHandOverCall } from "../store/call-statements.ts";
import type { RunReader } from "../store/run-reader.ts";
import { summaryOfRun } from "../store/present-run.ts";
import { createRunCache, type RunReading } from "../store/stored-run.ts";
import type { VersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { createAdvance } from "./advance-runs.ts";
import { type AdvanceRun, createRetryAdvance } from "./advance.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createEndCalls, createResultWorker } from "./result-worker.ts";
import { type WorkflowLimits, createStartRun } from "./start-runs.ts";
import { createTimer } from "./run-timer.ts";
import type { ChangedRun } from "./store-turns.ts";
import { createRunWatch } from "./watch-runs.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";
import type { RunChange, Workflows } from "./workflows.ts";

export interface WorkflowsDeps<Tables extends WorkflowTables> {
  /** The jobs of this database. A step's call is a job whose parent is the run. */
  readonly jobs: JobStore<ExecutionColumn>;
  readonly lease: Pick<JobLease, "leaseMs">;
  /** Enqueues the calls of steps. */
  readonly intake: CallIntake;
  /** `workflowsStep` and `executionJobsStep` create its tables. */
  readonly database: Database<Tables>;
  /** Names of the agents that steps can use. If absent, they are not checked. */
  readonly agentNames?: () => Promise<Iterable<string>>;
  readonly observer: WorkflowObserver;
  readonly limits: WorkflowLimits;
  /** Seals texts of people and agents. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
}

export interface EngineParts {
  readonly database: Database<WorkflowTables>;
  readonly reading: RunReading;
  readonly reader: RunReader;
  readonly versions: VersionStore;
}

/** The functions that change runs. */
export type RunEngine = Pick<
  Workflows,
  | "startRun"
  | "cancel"
  | "retry"
  | "watch"
  | "waitForRun"
  | "endCall"
  | "handOver"
  | "takeResult"
  | "wake"
  | "lose"
  | "start"
  | "stop"
>;

/** Connects the parts that change runs. */
export function createRunEngine<Tables extends WorkflowTables>(
  { jobs, lease, intake, observer, limits }: WorkflowsDeps<Tables>,
  { database, reading, reader, versions }: EngineParts,
): RunEngine {
  const [cache, clock] = [createRunCache(), createDatabaseClock()];
  const watching = createRunWatch({ database, reader, codec: reading.codec });
  const onChanged = (runs: readonly ChangedRun[]): void => {
    watching.look(runs.map(({ runId }) => runId));
    const at = clock.now();
    if (at !== undefined) timer.expect(Math.min(...runs.map(({ dueAt }) => dueAt ?? Infinity)) - at);
  };
  const storing = { ...reading, database, cache, clock, jobs, intake, observer, onChanged };
  const advance = createAdvance(storing);
  const retryAdvance = createRetryAdvance({ database, advance });
  const handOver = createHandOverCall(database, jobs);
  const ends = createEndCalls({ jobs, handOver, advance, retryAdvance, onHandedOver: () => worker.wake() });
  const worker = createResultWorker({ jobs, lease, codec: reading.codec, endLeased: ends.endLeased, observer });
  const timer = createTimer({ database, advance, retryAdvance, observer });
  let isStarted = false;

  return {
    startRun: createStartRun({ ...storing, versions, limits }),
    cancel: (runId) => requestChange(advance, runId, "cancel_requested"),
    retry: (runId) => requestChange(advance, runId, "retry_requested"),
    watch: watching.watch,
    waitForRun: watching.waitForRun,
    endCall: ends.endCall,
    handOver: ends.handOver,
    takeResult: ends.takeResult,
    wake: worker.wake,
    lose: worker.lose,
    start: () => {
      isStarted = true;
      worker.start();
      timer.start();
    },
    stop: async (graceMs) => {
      if (isStarted) await Promise.all([timer.stop(), worker.stop(graceMs)]);
    },
  };
}

async function requestChange(
  advance: AdvanceRun,
  runId: string,
  type: "cancel_requested" | "retry_requested",
): Promise<RunChange> {
  if (!isRunId(runId)) return { outcome: "unknown_run" };
  const request = randomUUID();
  const advanced = await retryBriefly(() => advance(runId, { type, request }));
  if (advanced === undefined) return { outcome: "unknown_run" };
  return { outcome: advanced.hasChanged ? "changed" : "too_late", run: summaryOfRun(advanced.run) };
}
