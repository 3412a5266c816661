import type { Kysely, Transaction } from "kysely";
import { findLeasedCalls } from "../store/call-statements.ts";
import { endUnreadable, type LoadedRuns, loadRuns } from "../store/load-runs.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import {
  type Advanced,
  type AdvanceDeps,
  hasChanged,
  type ItemOutcome,
  outcomesOf,
  type RunItem,
  turnOfItems,
} from "./advance.ts";
import type { RunTurn } from "./run-turn.ts";
import { storeTurns, type WrittenTurn } from "./store-turns.ts";

/** What became of the events of one attempt. */
interface Attempt {
  readonly turns: readonly RunTurn[];
  readonly runs: LoadedRuns;
  /** Items whose lease of the call has expired. */
  readonly lost: ReadonlySet<RunItem>;
  readonly written: WrittenTurn | undefined;
}

/**
 * Returns a function that advances runs as they are stored now. It reads them without a lock, and retries those that have changed
 * meanwhile: on PostgreSQL with their rows locked. SQLite would lock the whole database, which the intake of calls may have to read.
 */
export function createAdvanceStored(
  deps: AdvanceDeps,
): (items: readonly RunItem[]) => Promise<readonly (ItemOutcome | undefined)[]> {
  return async (items) => {
    const outcomes = new Map<RunItem, ItemOutcome | undefined>();
    let left = await advance(deps, items, { outcomes, locks: false });
    while (left.length > 0) left = await advance(deps, left, { outcomes, locks: deps.database.engine === "postgres" });
    return items.map((item) => outcomes.get(item));
  };
}

interface AdvanceOptions {
  readonly outcomes: Map<RunItem, ItemOutcome | undefined>;
  readonly locks: boolean;
}

/** Advances the runs of items once. Returns the items whose runs have changed meanwhile. */
async function advance(
  deps: AdvanceDeps,
  items: readonly RunItem[],
  { outcomes, locks }: AdvanceOptions,
): Promise<readonly RunItem[]> {
  let last: Attempt | undefined;
  try {
    const run = async (locked?: Transaction<WorkflowTables>): Promise<Attempt> =>
      (last = await attempt(deps, items, locked));
    last = await (locks ? deps.database.transaction(run) : run());
  } catch (error) {
    last?.written?.abandon();
    throw error;
  }
  const { turns, runs, lost, written } = last;
  written?.confirm();
  const stored = written?.stored ?? [];
  const moved = new Set(stored.map(({ record }) => record.run_id));
  const done = turns.filter((turn) => !hasChanged(turn) || moved.has(turn.after.run_id));
  const kept = items.filter((item) => !lost.has(item));
  const unchanged = turns.filter((turn) => !hasChanged(turn)).map(({ before }) => before);
  const results = outcomesOf(kept, { turns: done, stored: [...stored, ...unchanged] });
  const stale = new Set(turns.filter((turn) => !done.includes(turn)).map(({ after }) => after.run_id));
  kept.forEach((item, index) => outcomes.set(item, results[index]));
  for (const item of lost) outcomes.set(item, noChange(runs, item));
  await endUnreadables(deps, runs);
  return kept.filter(({ runId }) => stale.has(runId));
}

/** `locked`: a transaction on PostgreSQL, in which the runs are locked. */
async function attempt(
  deps: AdvanceDeps,
  items: readonly RunItem[],
  locked: Transaction<WorkflowTables> | undefined,
): Promise<Attempt> {
  const { engine } = deps.database;
  const db = locked ?? deps.database.db;
  const byRun = Map.groupBy(items, ({ runId }) => runId);
  const runs = await loadRuns(db, { ...deps, engine, locks: locked !== undefined }, [...byRun.keys()]);
  deps.clock.learn(runs.at);
  // Without a lock, PostgreSQL refuses a write that ends a lost call, and it is retried.
  const lost = engine === "postgres" && !locked ? new Set<RunItem>() : await findLost(deps, db, items);
  const turns = [...runs.runs].map(([runId, run]) => {
    const events = (byRun.get(runId) ?? []).filter((item) => !lost.has(item));
    return turnOfItems(run, events, runs.at);
  });
  const changed = turns.filter(hasChanged);
  const options = locked ? { transaction: locked } : {};
  const written = changed.length === 0 ? undefined : await storeTurns(deps, changed, options);
  return { turns, runs, lost, written };
}

async function findLost(
  { jobs, database }: AdvanceDeps,
  db: Kysely<WorkflowTables>,
  items: readonly RunItem[],
): Promise<ReadonlySet<RunItem>> {
  const leases = new Map(items.flatMap((item) => [[item, leaseOf(item)] as const]));
  const owner = jobs.owner();
  const rows = [...leases.values()].flatMap((lease) => (lease ? [{ ...lease, owner }] : []));
  const leased = await findLeasedCalls(db, database.engine, rows);
  return new Set(items.filter((item) => leases.get(item) && !leased.has(leases.get(item)?.id ?? "")));
}

async function endUnreadables(
  { database, codec, emit, onChanged }: AdvanceDeps,
  { unreadable, at }: LoadedRuns,
): Promise<void> {
  if (unreadable.size === 0) return;
  const ids = [...unreadable.keys()];
  await database.transaction((transaction) => endUnreadable(transaction, codec, { ids, at }));
  for (const [run_id, cause] of unreadable) emit("run_unreadable", { run_id, cause });
  onChanged(ids.map((runId) => ({ runId, dueAt: null })));
}

function leaseOf({ happening }: RunItem): { readonly id: string; readonly attempt: number } | undefined {
  const call = "call" in happening ? happening.call : undefined;
  return call?.attempt === undefined ? undefined : { id: call.id, attempt: call.attempt };
}

function noChange({ runs }: LoadedRuns, { runId }: RunItem): Advanced | undefined {
  const run = runs.get(runId);
  return run && { run, hasChanged: false };
}
