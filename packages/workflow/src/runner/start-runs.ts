import { hash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { MessageHeaders } from "@crosszone/bus";
import type { ParamProblem, StartRunRequest, WorkflowDefinition } from "@crosszone/contracts";
import { columnText, createGroupCommit, now, patiently, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { newRun } from "../run/run-record.ts";
import type { RunCache } from "../store/run-cache.ts";
import { runStateRow, type RunReading, type RunRow } from "../store/run-row.ts";
import { runContext, type RunOrigin, type StoredRun } from "../store/stored-run.ts";
import type { VersionStore } from "../store/version-store.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { addRuns } from "../store/write-runs.ts";
import { turnOf } from "./run-turn.ts";
import { observeTurn, storeTurns, type StoreTurnsDeps } from "./store-turns.ts";
import type { WorkflowLimits } from "./workflow-limits.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";

export interface StartRunOptions {
  /** Any text that makes a request which is sent again the same; of one caller, so put the caller's name in. */
  readonly idempotencyKey?: string;
  /** Of all messages of the run: `data-owner` says whose it is, `traceparent` what it belongs to. */
  readonly headers?: MessageHeaders;
}

export type StartedRun =
  | { readonly outcome: "started" | "repeated"; readonly run_id: string }
  | { readonly outcome: "unknown_workflow" }
  /** The input is not what the workflow's schema asks for. */
  | { readonly outcome: "invalid_input"; readonly problems: readonly ParamProblem[] }
  /** The idempotency key was that of another request. */
  | { readonly outcome: "key_reused" };

export type StartRun = (request: StartRunRequest, options?: StartRunOptions) => Promise<StartedRun>;

export interface StartDeps extends StoreTurnsDeps, RunReading {
  readonly database: Database<WorkflowTables>;
  readonly cache: RunCache;
  readonly versions: Pick<VersionStore, "find">;
  readonly observer: WorkflowObserver;
  readonly limits: WorkflowLimits;
}

/** A run that is about to be stored. */
interface NewRun {
  readonly run: StoredRun;
  readonly requestKey: string | null;
  readonly definition: string;
}

/** So many runs go into one transaction, when they are small. */
const mostRuns = 100;

/** How long it is tried while the database cannot be reached, milliseconds. */
const patienceMs = 1_000;

/** Stores runs and gives out their first tasks, in one transaction: no run is stored that nobody begins. */
export function createStartRun(deps: StartDeps): StartRun {
  const { database, engine, cache, codec, planOf, versions, observer, limits, outbox } = deps;

  /** Of each run whether it was added: another one may have its request key. */
  async function commit(items: readonly NewRun[]): Promise<readonly boolean[]> {
    const { turns, stored } = await database.transaction(async (transaction) => {
      const clock = await sql<{ at: number }>`select ${now(engine)} as at`.execute(transaction);
      const at = clock.rows[0]?.at ?? Date.now();
      const added = await addRuns(
        transaction,
        engine,
        items.map((item) => rowOf(item, at)),
      );
      const begun = items
        .filter(({ run }) => added.has(run.record.run_id))
        .map(({ run }) => turnOf({ ...run, record: { ...run.record, updated_at: at } }, [{ type: "run_started", at }]));
      return { turns: begun, stored: await storeTurns(transaction, deps, begun) };
    });
    for (const run of stored) cache.put(run);
    outbox.wake();
    for (const turn of turns) observeTurn(observer, turn);
    const added = new Set(stored.map(({ record }) => record.run_id));
    return items.map(({ run }) => added.has(run.record.run_id));
  }

  function rowOf({ run, requestKey, definition }: NewRun, at: number): RunRow {
    const { record, plan, origin, team } = run;
    const { workflow_id, version, name } = plan.definition;
    return {
      ...runStateRow({ ...record, updated_at: at }, run, codec),
      request_key: requestKey,
      workflow_id,
      version,
      name: columnText(name),
      created_at: at,
      team,
      record: JSON.stringify(origin),
      definition,
      input: codec.toColumn(plan.input, runContext("input", record.run_id)),
    };
  }

  const store = createGroupCommit(commit, { most: mostRuns, sizeOf: ({ run }) => run.bytes });

  return async (request, { idempotencyKey, headers = {} } = {}) => {
    const reach = <T>(operation: () => Promise<T>): Promise<T> => patiently(operation, { budgetMs: patienceMs });
    const requestKey = idempotencyKey === undefined ? null : hash("sha256", idempotencyKey, "base64url");
    const { input = {} } = request;
    const known = requestKey === null ? undefined : await reach(() => findByKey(requestKey));
    if (known) return repeated(known, request);
    const found = await reach(() => versions.find(request.workflow_id, request.version));
    if (found === undefined) return { outcome: "unknown_workflow" };
    const problems = found.checkInput(input);
    if (problems.length > 0) return { outcome: "invalid_input", problems };

    const run_id = randomUUID();
    const origin: RunOrigin = {
      correlation_id: request.correlation_id ?? run_id,
      headers,
      limits: {
        deadline_ms: deadlineOf(found.definition, request),
        step_timeout_ms: limits.stepTimeoutMs,
        max_running: limits.maxRunning,
      },
    };
    const { "data-owner": team } = headers;
    const run: StoredRun = {
      plan: { ...planOf(found.text), input },
      record: newRun({ run_id, at: 0, limits: origin.limits }),
      revision: 0,
      stateRevision: 0,
      origin,
      team: team === undefined ? null : columnText(team),
      bytes: found.text.length + JSON.stringify(input).length,
    };
    // Begun again with the same id, so that a commit whose answer was lost is found.
    if (await reach(() => store({ run, requestKey, definition: found.text }))) return { outcome: "started", run_id };
    const other = await reach(() => findRun(run_id, requestKey));
    if (other === undefined) throw new Error("the run was not stored, and nothing stands in its way; start it again");
    return other.run_id === run_id ? { outcome: "started", run_id } : repeated(other, request);
  };

  function deadlineOf({ deadline_ms }: WorkflowDefinition, { deadline_ms: asked = Infinity }: StartRunRequest): number {
    return Math.min(deadline_ms ?? limits.deadlineMs, asked);
  }

  function findByKey(key: string): Promise<RunRow | undefined> {
    return database.db.selectFrom("workflow_run").selectAll().where("request_key", "=", key).executeTakeFirst();
  }

  async function findRun(runId: string, key: string | null): Promise<RunRow | undefined> {
    const own = database.db.selectFrom("workflow_run").selectAll().where("run_id", "=", runId);
    return (await own.executeTakeFirst()) ?? (key === null ? undefined : await findByKey(key));
  }

  function repeated(row: RunRow, { workflow_id, version = row.version, input = {} }: StartRunRequest): StartedRun {
    const known = codec.fromColumn(row.input, runContext("input", row.run_id));
    // As it was stored: JSON has no -0.
    const asked = JSON.parse(JSON.stringify(input)) as unknown;
    const isSame = row.workflow_id === workflow_id && row.version === version && isDeepStrictEqual(known, asked);
    return isSame ? { outcome: "repeated", run_id: row.run_id } : { outcome: "key_reused" };
  }
}
