import { transactAndSend } from "@crosszone/bus";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText, createGroupCommit, now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { RunCache } from "../store/run-cache.ts";
import { changingRunRow, type RunRow } from "../store/run-row.ts";
import { runContext, type StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { addRuns } from "../store/write-runs.ts";
import { turnOf } from "./run-turn.ts";
import { observeTurn, storeTurns, type StoreTurnsDeps } from "./store-turns.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";

/** A run to store. */
export interface NewRun {
  readonly run: StoredRun;
  readonly requestKey: string | null;
  readonly definition: string;
}

/** Resolves with the stored run; undefined if another run has its id or its request key. */
export type StoreNewRun = (item: NewRun) => Promise<StoredRun | undefined>;

export interface StoreNewRunDeps extends StoreTurnsDeps {
  readonly database: Database<WorkflowTables>;
  readonly cache: RunCache;
  readonly observer: WorkflowObserver;
}

/** Maximum number of runs in one transaction, if they are small. */
const mostRuns = 100;

/**
 * Returns a function that stores a run and dispatches its first tasks in one transaction, so that every stored run is started. Concurrent
 * runs share a transaction.
 */
export function createStoreNewRun(deps: StoreNewRunDeps): StoreNewRun {
  const { database, engine, cache, codec, observer, outbox } = deps;

  async function commit(items: readonly NewRun[]): Promise<readonly (StoredRun | undefined)[]> {
    // Of several requests with one id, the first is stored; the others find its run.
    const byId = Map.groupBy(items, ({ run }) => run.record.run_id);
    const candidates = [...byId.values()].flatMap(([first]) => first ?? []);
    const { turns, stored } = await transactAndSend(database, outbox, async (transaction) => {
      const clock = await sql<{ at: number }>`select ${now(engine)} as at`.execute(transaction);
      const at = clock.rows[0]?.at ?? Date.now();
      const added = await addRuns(
        transaction,
        engine,
        candidates.map((item) => rowOf(item, codec, at)),
      );
      const begun = candidates
        .filter(({ run }) => added.has(run.record.run_id))
        .map(({ run }) => {
          const before = { ...run, createdAt: at, record: { ...run.record, updated_at: at } };
          return turnOf(before, [{ type: "run_started", at }]);
        });
      return { turns: begun, stored: await storeTurns(transaction, deps, begun) };
    });
    for (const run of stored) cache.put(run);
    for (const turn of turns) observeTurn(observer, turn);
    const begun = new Map(stored.map((run) => [run.record.run_id, run]));
    return items.map((item) => {
      const { run_id } = item.run.record;
      return byId.get(run_id)?.[0] === item ? begun.get(run_id) : undefined;
    });
  }

  return createGroupCommit(commit, { most: mostRuns, sizeOf: ({ run }) => run.bytes });
}

/** Returns the row of a run that has not started. */
function rowOf({ run, requestKey, definition }: NewRun, codec: RecordCodec, at: number): RunRow {
  const { record, plan, origin, team } = run;
  const { correlation_id, ...rest } = origin;
  const { workflow_id, version, name } = plan.definition;
  return {
    ...changingRunRow({ ...record, updated_at: at }, run, codec),
    request_key: requestKey,
    workflow_id,
    version,
    name: columnText(name),
    created_at: at,
    team,
    correlation_id: columnText(correlation_id),
    record: JSON.stringify(rest),
    definition,
    input: codec.toColumn(plan.input, runContext("input", record.run_id)),
  };
}
