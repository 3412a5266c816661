import { randomUUID } from "node:crypto";
import { isRunId } from "@crosszone/contracts";
import type { CallIntake, ExecutionColumn, JobLease, JobStore } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { deleteOlder, now, retryTransient, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { readOnThread } from "../definition/definitions-on-thread.ts";
import { createHandOverCall } from "../store/hand-over-call.ts";
import { createRunCache } from "../store/run-cache.ts";
import { createRunReader } from "../store/run-reader.ts";
import { createPlans } from "../store/run-reading.ts";
import { summaryOfRun } from "../store/run-summary.ts";
import { createVersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { createAdvanceAgain } from "./advance-again.ts";
import { createAdvance } from "./advance-runs.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createEndCalls } from "./end-calls.ts";
import { createResultWorker } from "./result-worker.ts";
import { createStartRun } from "./start-runs.ts";
import type { ChangedRun } from "./store-turns.ts";
import { createTimer } from "./tell-time.ts";
import { createRunWatch } from "./watch-runs.ts";
import type { WorkflowLimits } from "./workflow-limits.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";
import type { RunChange, Workflows } from "./workflows.ts";

export interface WorkflowsDeps<Tables extends WorkflowTables> {
  /** The jobs of this database. A step's call is a job whose parent is the run. */
  readonly jobs: JobStore<ExecutionColumn>;
  readonly lease: Pick<JobLease, "leaseMs">;
  /** Where calls of steps go in. */
  readonly intake: CallIntake;
  /** `workflowsStep` and `createExecutionJobTables` create its tables. */
  readonly database: Database<Tables>;
  /** Names of the agents that steps can use. If absent, they are not checked. */
  readonly agentNames?: () => Promise<Iterable<string>>;
  readonly observer: WorkflowObserver;
  readonly limits: WorkflowLimits;
  /** Seals texts of people and agents. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
}

/** How long a change is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/**
 * Runs workflows. No process owns a run: each event, such as a result, a deadline or a cancellation, is one change by the process that
 * receives it. The call of a step is a job, and its result ends it in that same change.
 */
export function createWorkflows<Tables extends WorkflowTables>(deps: WorkflowsDeps<Tables>): Workflows {
  const { jobs, lease, intake, observer, limits, agentNames } = deps;
  // A database with more tables also has these.
  const database = deps.database as unknown as Database<WorkflowTables>;
  const { db, engine } = database;
  const reading = { codec: createRecordCodec(deps.vault), planOf: createPlans() };
  const [cache, clock] = [createRunCache(), createDatabaseClock()];
  const versions = createVersionStore(database);
  const reader = createRunReader(database, reading);
  const watching = createRunWatch({ database, reader, codec: reading.codec });
  const onChanged = (runs: readonly ChangedRun[]): void => {
    watching.look(runs.map(({ runId }) => runId));
    const at = clock.now();
    if (at !== undefined) timer.expect(Math.min(...runs.map(({ dueAt }) => dueAt ?? Infinity)) - at);
  };
  const storing = { ...reading, database, cache, clock, jobs, intake, observer, onChanged };
  const advance = createAdvance(storing);
  const advanceAgain = createAdvanceAgain({ database, advance });
  const startRun = createStartRun({ ...storing, versions, limits });
  const handOver = createHandOverCall(database, jobs);
  const ends = createEndCalls({ jobs, handOver, advance, advanceAgain, onHandedOver: () => worker.wake() });
  const worker = createResultWorker({ jobs, lease, codec: reading.codec, endTaken: ends.endTaken, observer });
  const timer = createTimer({ database, advance, advanceAgain, observer });
  let isStarted = false;

  const read = async (source: unknown): ReturnType<typeof readOnThread> =>
    readOnThread(source, agentNames ? { agents: await agentNames() } : {});

  async function change(runId: string, type: "cancel_requested" | "retry_requested"): Promise<RunChange> {
    if (!isRunId(runId)) return { outcome: "unknown_run" };
    const request = randomUUID();
    const advanced = await retryTransient(() => advance(runId, { type, request }), { budgetMs: patienceMs });
    if (advanced === undefined) return { outcome: "unknown_run" };
    return { outcome: advanced.hasChanged ? "changed" : "too_late", run: summaryOfRun(advanced.run) };
  }

  // A subquery is evaluated once for all rows, so that the index is used.
  const old = sql<number>`(select ${now(engine)} - ${limits.retentionMs})`;

  return {
    validate: async (source) => (await read(source)).problems,
    createVersion: async (source) => {
      const { definition, problems } = await read(source);
      return definition ? versions.add(definition) : { outcome: "invalid", problems };
    },
    get: versions.get,
    list: versions.list,
    listVersions: versions.listVersions,
    startRun,
    getRun: reader.get,
    states: reader.states,
    listRuns: reader.list,
    attempts: reader.attempts,
    cancel: (runId) => change(runId, "cancel_requested"),
    retry: (runId) => change(runId, "retry_requested"),
    watch: watching.watch,
    waitForRun: watching.waitForRun,
    readings: reader.readings,
    purge: {
      table: "workflow_run",
      purge: (most) => deleteOlder(db, { table: "workflow_run", key: "run_id", column: "ended_at", before: old }, most),
    },
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
