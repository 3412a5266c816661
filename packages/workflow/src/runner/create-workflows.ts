import { randomUUID } from "node:crypto";
import type { MessageBus, Subscription } from "@crosszone/bus";
import { isRunId } from "@crosszone/contracts";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { deleteOlder, now, patiently, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { readOnThread } from "../definition/definitions-on-thread.ts";
import { createRunCache } from "../store/run-cache.ts";
import { createRunReader } from "../store/run-reader.ts";
import { createPlans } from "../store/run-reading.ts";
import { summaryOfRun } from "../store/run-summary.ts";
import { createVersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { createAdvanceAgain } from "./advance-again.ts";
import { createAdvance } from "./advance-runs.ts";
import { createStartRun } from "./start-runs.ts";
import { takeInResults } from "./take-in-results.ts";
import { startTellingTime } from "./tell-time.ts";
import { createRunWatch } from "./watch-runs.ts";
import type { WorkflowLimits } from "./workflow-limits.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";
import type { RunChange, Workflows } from "./workflows.ts";

export interface WorkflowsDeps<Tables extends WorkflowTables> {
  readonly bus: Pick<MessageBus, "subscribe" | "outbox">;
  /** The database of the bus's outbox. `workflowsStep` creates its tables. */
  readonly database: Database<Tables>;
  /** Names of the agents that steps can use. If absent, they are not checked. */
  readonly agentNames?: () => Promise<Iterable<string>>;
  readonly observer: WorkflowObserver;
  readonly limits: WorkflowLimits;
  /** Seals texts of people and agents. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
  /** The consumer group of all executors. */
  readonly group?: string;
}

/** Maximum number of results processed concurrently. They share transactions, so many cost little more than one. */
const concurrency = 200;

/** How long a change is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/**
 * Runs workflows over the bus. No process owns a run: each event, such as a result, a deadline or a cancellation, is one transaction of the
 * process that receives it.
 */
export function createWorkflows<Tables extends WorkflowTables>(deps: WorkflowsDeps<Tables>): Workflows {
  const { bus, observer, limits, agentNames, group = "workflow" } = deps;
  // A database with more tables also has these.
  const database = deps.database as unknown as Database<WorkflowTables>;
  const { db, engine } = database;
  const { outbox } = bus;
  const reading = { codec: createRecordCodec(deps.vault), planOf: createPlans() };
  const cache = createRunCache();
  const versions = createVersionStore(database);
  const reader = createRunReader(database, reading);
  const watching = createRunWatch({ database, reader, codec: reading.codec });
  const storing = { ...reading, database, engine, outbox, cache, observer };
  const advance = createAdvance({ ...storing, onChanged: watching.look });
  const advanceAgain = createAdvanceAgain({ database, advance });
  const startRun = createStartRun({ ...storing, versions, limits, group });
  let subscription: Subscription | undefined;
  let stopTellingTime: (() => Promise<void>) | undefined;

  const read = async (source: unknown): ReturnType<typeof readOnThread> =>
    readOnThread(source, agentNames ? { agents: await agentNames() } : {});

  async function change(runId: string, type: "cancel_requested" | "retry_requested"): Promise<RunChange> {
    if (!isRunId(runId)) return { outcome: "unknown_run" };
    const request = randomUUID();
    const advanced = await patiently(() => advance(runId, { type, request }), { budgetMs: patienceMs });
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
    start: async () => {
      subscription = await takeInResults({ bus, advance, advanceAgain, observer, group, concurrency });
      stopTellingTime = startTellingTime({ database, advance, advanceAgain, observer });
    },
    stop: async (graceMs) => {
      await Promise.all([stopTellingTime?.(), subscription?.close(graceMs)]);
    },
  };
}
