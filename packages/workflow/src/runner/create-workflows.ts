import { randomUUID } from "node:crypto";
import { type Author, authorAct, createAppendAudit } from "@crosszone/audit";
import { isRunId } from "@crosszone/contracts";
import { type CallIntake, type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import type { ProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, type Emit, type Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type Database, deleteOlder, now, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import { readOnThread } from "../definition/definitions-on-thread.ts";
import { summaryOfRun } from "../store/present-run.ts";
import { createRunReader } from "../store/run-reader.ts";
import { createPlans, createRunCache } from "../store/stored-run.ts";
import { createVersionStore, type VersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import type { RequestBy } from "../threads/request-thread.ts";
import { type ApplyEvent, createApplyEvent } from "./apply-event.ts";
import type { ChangedRun, TurnDeps } from "./commit-turns.ts";
import { DatabaseClock } from "./database-clock.ts";
import { createEndCalls, createResultWorker } from "./receive-results.ts";
import { createRetryEvent } from "./retry-event.ts";
import { createTimer } from "./run-timer.ts";
import { createStartRun, type WhyNobody, type WorkflowLimits } from "./start-run.ts";
import { createRunWatch } from "./watch-runs.ts";
import type { Definitions, RunChange, Workflows } from "./workflows.ts";

export interface WorkflowsDeps<Tables extends WorkflowTables> {
  /** The jobs of this database. A step's call is a job whose parent is the run. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Enqueues the calls of steps. */
  readonly intake: CallIntake;
  /** `workflowsStep` and `executionJobsStep` create its tables. */
  readonly database: Database<Tables>;
  /** Names of the agents that steps can use. If absent, they are not checked. */
  readonly agentNames?: () => Promise<Iterable<string>>;
  readonly emit: Emit<ExecutionEvent>;
  readonly limits: WorkflowLimits;
  readonly whyNobody?: WhyNobody;
  /** Seals texts of people and agents. */
  readonly vault?: Vault;
}

/**
 * Runs workflows. No process owns a run: each event, such as a result, a deadline or a cancellation, is one change by the process that
 * receives it. The call of a step is a job, and its result ends it in that same change.
 */
export function createWorkflows<Tables extends WorkflowTables>(deps: WorkflowsDeps<Tables>): Workflows {
  const { intake, emit, limits } = deps;
  const wakeInputs = (ids: readonly string[]): Promise<void> => deps.jobs.wake(ids, inputKind);
  const { store: jobs, workOn } = deps.jobs;
  // A database with more tables also has these.
  const database = deps.database as unknown as Database<WorkflowTables>;
  const reading = { codec: createRecordCodec(deps.vault), planOf: createPlans() };
  const { changed, ...runReader } = createRunReader(database, reading);
  const { sizeOf } = runReader;
  const append = createAppendAudit({ engine: database.engine, codec: reading.codec });
  const versions = createVersionStore(database, append);
  const [cache, clock] = [createRunCache(), new DatabaseClock()];
  const watching = createRunWatch(database.db, { changed, sizeOf }, reading.codec);
  const onChanged = (runs: readonly ChangedRun[]): void => {
    watching.look(runs.map(({ runId }) => runId));
    const at = clock.now();
    if (at !== undefined) timer.expect(Math.min(...runs.map(({ dueAt }) => dueAt ?? Infinity)) - at);
  };
  const turnDeps: TurnDeps = { ...reading, database, append, cache, clock, jobs, intake, wakeInputs, emit, onChanged };
  const apply = createApplyEvent(turnDeps);
  const retry = createRetryEvent(database, apply);
  const onHandedOver = (): void => worker.wake();
  const { endLeased, ...callResults } = createEndCalls({ jobs, apply, retry, onHandedOver });
  const worker = createResultWorker({ workOn, codec: reading.codec, endLeased, emit });
  const timer = createTimer({ database, apply, retry, settleClock: (how) => jobs.settleClock(how), emit });
  let isStarted = false;

  return {
    ...definitions(versions, deps.agentNames),
    ...runReader,
    purge: purgeOf(database, limits),
    startRun: createStartRun({ ...turnDeps, versions, limits, whyNobody: deps.whyNobody }),
    cancel: (runId, by) => requestChange(apply, runId, { type: "cancel_requested", action: "run.cancel", by }),
    retry: (runId, by) => requestChange(apply, runId, { type: "retry_requested", action: "run.retry", by }),
    watch: watching.watch,
    waitForRun: watching.waitForRun,
    ...callResults,
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

/** Returns the functions that check, store and show definitions. */
function definitions(versions: VersionStore, agentNames: WorkflowsDeps<WorkflowTables>["agentNames"]): Definitions {
  const read = async (source: unknown, asked: RequestBy): ReturnType<typeof readOnThread> =>
    readOnThread(source, agentNames ? { agents: await agentNames() } : {}, asked);
  return {
    validate: async (source, asked = {}) => {
      const { problems, warnings = [] } = await read(source, asked);
      return { problems, warnings: warnings.length > 0 ? warnings : undefined };
    },
    createVersion: async (source, signal, by) => {
      const { definition, problems } = await read(source, { signal, caller: by?.actor });
      return definition ? versions.add(definition, by) : { outcome: "invalid", problems };
    },
    get: versions.get,
    list: versions.list,
    listVersions: versions.listVersions,
  };
}

interface RequestedChange {
  readonly type: "cancel_requested" | "retry_requested";
  readonly action: string;
  readonly by: Author | undefined;
}

async function requestChange(
  apply: ApplyEvent,
  runId: string,
  { type, action, by }: RequestedChange,
): Promise<RunChange> {
  if (!isRunId(runId)) return { outcome: "unknown_run" };
  const request = randomUUID();
  const act = by && { ...authorAct(by, { action, target: { type: "run", id: runId } }), id: request };
  const applied = await retryBriefly(() => apply(runId, { type, request }, act));
  if (applied === undefined) return { outcome: "unknown_run" };
  return { outcome: applied.hasChanged ? "changed" : "too_late", run: summaryOfRun(applied.run) };
}

function purgeOf({ db, engine }: Database<WorkflowTables>, { retentionMs }: WorkflowLimits): Workflows["purge"] {
  // A subquery is evaluated once for all rows, so that the index is used.
  const before = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  return {
    table: "workflow_run",
    purge: (most) => deleteOlder(db, { table: "workflow_run", key: "run_id", column: "ended_at", before }, most),
  };
}
