import { randomUUID } from "node:crypto";
import { type CallIntake, type ExecutionColumn, inputKind, promptKind, subRunKind } from "@crosszone/agent-calls";
import { type Author, authorAct, createAppendAudit } from "@crosszone/audit";
import { isRunId, type ParamProblem, type WorkflowRunSummary } from "@crosszone/contracts";
import type { ProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, type Emit, type Vault } from "@crosszone/service-kit";
import { type Database, purgeAfter, retryBriefly } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { readOnThread, type RequestBy } from "../definition/request-thread.ts";
import { summaryOfRun } from "../store/present-run.ts";
import { createRunReader } from "../store/run-reader.ts";
import { openRunsBelow, purgeTrees } from "../store/run-trees.ts";
import { createPlans, RunCache } from "../store/stored-run.ts";
import { type AddedVersion, createVersionStore, type VersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { bytesOf } from "../steps/run-record.ts";
import { type ApplyEvent, createApplyEvent } from "./apply-event.ts";
import { type ChangedRun, DatabaseClock, type TurnDeps } from "./commit-turns.ts";
import { createEvents, createEventWait } from "./events.ts";
import { createEndCalls, createStepKind, createEnterResult, createResultWorker } from "./receive-results.ts";
import { createRetryEvent, createTimer } from "./run-timer.ts";
import { createStartRun, type MayStore, type WhyNobody, type WorkflowLimits } from "./start-run.ts";
import { createSubRun } from "./sub-runs.ts";
import { createRunWatch } from "./watch-runs.ts";

type CreatedVersion = AddedVersion | { readonly outcome: "invalid"; readonly problems: readonly ParamProblem[] };

/** The outcome of a request to change a run. `too_late`: the state of the run does not allow it. */
export type RunChangeResult =
  { readonly outcome: "changed" | "too_late"; readonly run: WorkflowRunSummary } | { readonly outcome: "unknown_run" };

/**
 * Workflows and their runs. Every process can start, cancel and show runs; started ones (`start`) also advance them, together. All methods
 * reject with the database's error while it is unreachable.
 */
export interface Workflows extends ReturnType<typeof createWorkflows> {}

interface WorkflowsDeps<Tables extends WorkflowTables> {
  /** The jobs of this database. A step's call is a job whose parent is the run. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Enqueues the calls of steps. */
  readonly intake: CallIntake;
  /** `workflowsStep` and `executionJobsStep` create its tables. */
  readonly database: Database<Tables>;
  /** Whether a language model is connected. If absent, that is not known. */
  readonly hasModel?: boolean | undefined;
  /** The models that `prompt` steps can name. If absent, they can name any. */
  readonly models?: readonly string[] | undefined;
  /** Names of the agents that steps can use. If absent, they are not checked. */
  readonly agentNames?: () => Promise<readonly string[]>;
  readonly emit: Emit<ExecutionEvent>;
  readonly limits: WorkflowLimits;
  readonly whyNobody?: WhyNobody;
  /** When absent, nothing limits what is stored for an actor. */
  readonly mayStore?: MayStore;
  /** Seals texts of people and agents. */
  readonly vault?: Vault;
}

/**
 * Runs workflows. No process owns a run: each event, such as a result, a deadline or a cancellation, is one change by the process that
 * receives it. The call of a step is a job, and its result ends it in that same change.
 */
export function createWorkflows<Tables extends WorkflowTables>(deps: WorkflowsDeps<Tables>) {
  const { intake, emit, limits } = deps;
  const wakeJobs = (ids: readonly string[]): Promise<void> =>
    deps.jobs.wake(ids, inputKind, subRunKind, promptKind, "task");
  const { store: jobs } = deps.jobs;
  // A database with more tables also has these.
  const database = deps.database as unknown as Database<WorkflowTables>;
  const reading = { codec: createRecordCodec(deps.vault), planOf: createPlans() };
  const reader = createRunReader(database, reading);
  const append = createAppendAudit({ engine: database.engine, codec: reading.codec });
  const versions = createVersionStore(database, append);
  const [cache, clock] = [new RunCache(), new DatabaseClock()];
  const watching = createRunWatch(database.db, reader, reading.codec);
  const onChanged = (runs: readonly ChangedRun[]): void => {
    watching.look(runs.map(({ runId }) => runId));
    const at = clock.now();
    if (at !== undefined) timer.expect(Math.min(...runs.map(({ dueAt }) => dueAt ?? Infinity)) - at);
  };
  const turnDeps: TurnDeps = { ...reading, database, append, cache, clock, jobs, intake, wakeJobs, emit, onChanged };
  const apply = createApplyEvent(turnDeps);
  const retry = createRetryEvent(database, apply);
  const onHandedOver = (): void => worker.wake();
  const { endLeased, ...callResults } = createEndCalls({ jobs, apply, retry, onHandedOver });
  const worker = createResultWorker(deps.jobs, { codec: reading.codec, endLeased, emit });
  const eventDeps = { database, jobs: deps.jobs, codec: reading.codec };
  const stepKind = createStepKind({ codec: reading.codec, endLeased });
  const startRun = createStartRun({
    ...turnDeps,
    versions,
    limits,
    whyNobody: deps.whyNobody,
    mayStore: deps.mayStore,
  });
  const cancel = async (runId: string, by?: Author): Promise<RunChangeResult> => {
    const changed = await requestChange(apply, runId, { change: "cancel", by });
    // If it fails, the jobs of their steps cancel them, one after the other.
    if (changed.outcome !== "unknown_run") await cancelBelow(runId).catch((cause: unknown) => failed("cancel", cause));
    return changed;
  };
  const failed = (operation: string, cause: unknown): void => emit("run_results_failed", { operation, cause });
  const cancelBelow = async (runId: string): Promise<unknown> =>
    Promise.all((await openRunsBelow(database.db, runId)).map((id) => apply(id, { type: "cancel_requested" })));
  const subRun = createSubRun({ ...turnDeps, reader, startRun, cancel }, stepKind);
  const stepWorkers = [createEventWait(eventDeps, stepKind), subRun].map((kind) => deps.jobs.workOn(kind));
  const timer = createTimer({ database, apply, retry, settleClock: (how) => jobs.settleClock(how), emit });
  const purge = purgeAfter(database, { table: "workflow_run", key: "run_id", column: "ended_at" }, limits.retentionMs);
  const events = createEvents({ ...eventDeps, append, mayStore: deps.mayStore });
  let isStarted = false;

  return {
    ...definitions(versions, deps),
    ...reader,
    /** Deletes runs that ended before the retention time. */
    purge,
    /** Also what deletes old events, and the counts of trees whose runs are all deleted. */
    purges: [purge, events.purgeEvents, purgeTrees(database, limits.retentionMs)],
    ...events,
    /** Resolves when the run and the calls of its first steps are stored. */
    startRun,
    /** Cancels a run and its tasks at agents. */
    cancel,
    /** Retries a failed or timed-out run from the failed step. Succeeded steps do not run again. */
    retry: async (runId: string, by?: Author): Promise<RunChangeResult> => {
      if (by) await deps.mayStore?.(by.actor, 0);
      return requestChange(apply, runId, { change: "retry", by });
    },
    watch: watching.watch,
    waitForRun: watching.waitForRun,
    ...callResults,
    enterResult: createEnterResult(worker),
    /** Starts to process results and deadlines. */
    start: (): void => {
      isStarted = true;
      [worker, ...stepWorkers].forEach((one) => one.start());
      timer.start();
    },
    /** Stops processing. Waits up to `graceMs` milliseconds for running work. */
    stop: async (graceMs: number): Promise<void> => {
      if (isStarted) await Promise.all([timer, worker, ...stepWorkers].map((one) => one.stop(graceMs)));
    },
  };
}

/** Returns the functions that check, store and show definitions of workflows, in versions that never change. */
function definitions(
  { add, get, ids, list, listVersions }: VersionStore,
  {
    agentNames,
    hasModel,
    models,
    mayStore,
  }: Pick<WorkflowsDeps<WorkflowTables>, "agentNames" | "hasModel" | "models" | "mayStore">,
) {
  const read = async (source: unknown, asked: RequestBy): ReturnType<typeof readOnThread> =>
    readOnThread(source, { agents: await agentNames?.(), workflows: await ids(), hasModel, models }, asked);
  return {
    /** Returns all problems and warnings of a definition, including unknown agents. Stores nothing. */
    validate: async (source: unknown, asked: RequestBy = {}) => {
      const { problems, warnings = [] } = await read(source, asked);
      return { problems, warnings: warnings.length > 0 ? warnings : undefined };
    },
    /** Stores a version, for its author if a person or program asks. A repetition with the same content has no effect; different content is a conflict. */
    createVersion: async (source: unknown, signal?: AbortSignal, by?: Author): Promise<CreatedVersion> => {
      const { definition, problems } = await read(source, { signal, caller: by?.actor });
      if (definition === undefined) return { outcome: "invalid", problems };
      if (by) await mayStore?.(by.actor, bytesOf(definition));
      return add(definition, by);
    },
    get,
    list,
    listVersions,
  };
}

async function requestChange(
  apply: ApplyEvent,
  runId: string,
  { change, by }: { readonly change: "cancel" | "retry"; readonly by: Author | undefined },
): Promise<RunChangeResult> {
  if (!isRunId(runId)) return { outcome: "unknown_run" };
  const request = randomUUID();
  const act = by && { ...authorAct(by, { action: `run.${change}`, target: { type: "run", id: runId } }), id: request };
  const applied = await retryBriefly(() => apply(runId, { type: `${change}_requested`, request }, act));
  if (applied === undefined) return { outcome: "unknown_run" };
  return { outcome: applied.hasChanged ? "changed" : "too_late", run: summaryOfRun(applied.run) };
}
