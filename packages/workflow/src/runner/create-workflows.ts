import { createRecordCodec } from "@crosszone/service-kit";
import { type Database, deleteOlder, now } from "@crosszone/sql";
import { sql } from "kysely";
import { readOnThread } from "../definition/definitions-on-thread.ts";
import { createRunReader } from "../store/run-reader.ts";
import { createPlans } from "../store/stored-run.ts";
import { createVersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { createRunEngine, type WorkflowsDeps } from "./create-run-engine.ts";
import type { WorkflowLimits } from "./start-runs.ts";
import type { Workflows } from "./workflows.ts";

/**
 * Runs workflows. No process owns a run: each event, such as a result, a deadline or a cancellation, is one change by the process that
 * receives it. The call of a step is a job, and its result ends it in that same change.
 */
export function createWorkflows<Tables extends WorkflowTables>(deps: WorkflowsDeps<Tables>): Workflows {
  // A database with more tables also has these.
  const database = deps.database as unknown as Database<WorkflowTables>;
  const reading = { codec: createRecordCodec(deps.vault), planOf: createPlans() };
  const reader = createRunReader(database, reading);
  const versions = createVersionStore(database);
  const engine = createRunEngine(deps, { database, reading, reader, versions });
  const read = async (source: unknown, signal: AbortSignal | undefined): ReturnType<typeof readOnThread> =>
    readOnThread(source, deps.agentNames ? { agents: await deps.agentNames() } : {}, signal);

  return {
    validate: async (source, signal) => {
      const { problems, warnings = [] } = await read(source, signal);
      return { problems: [...problems], ...(warnings.length > 0 && { warnings: [...warnings] }) };
    },
    createVersion: async (source, signal) => {
      const { definition, problems } = await read(source, signal);
      return definition ? versions.add(definition) : { outcome: "invalid", problems };
    },
    get: versions.get,
    list: versions.list,
    listVersions: versions.listVersions,
    getRun: reader.get,
    states: reader.states,
    listRuns: reader.list,
    attempts: reader.attempts,
    readings: reader.readings,
    purge: purgeOf(database, deps.limits),
    ...engine,
  };
}

function purgeOf({ db, engine }: Database<WorkflowTables>, { retentionMs }: WorkflowLimits): Workflows["purge"] {
  // A subquery is evaluated once for all rows, so that the index is used.
  const before = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  return {
    table: "workflow_run",
    purge: (most) => deleteOlder(db, { table: "workflow_run", key: "run_id", column: "ended_at", before }, most),
  };
}
