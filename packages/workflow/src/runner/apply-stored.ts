import type { Transaction } from "kysely";
import { endUnreadable, type LoadedRuns, loadRuns } from "../store/load-runs.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { type CommittedTurns, commitTurns, type TurnDeps } from "./commit-turns.ts";
import { type AppliedEvent, hasChanged, outcomesOf, type RunItem, type Turn, turnOf } from "./turn.ts";

type Outcomes = Map<RunItem, AppliedEvent | undefined>;

/**
 * Returns a function that applies events to runs as they are stored now. It reads them without a lock, and retries those that have changed
 * meanwhile: on PostgreSQL with their rows locked. SQLite would lock the whole database, which the intake of calls may have to read.
 */
export function createApplyStored(
  deps: TurnDeps,
): (items: readonly RunItem[]) => Promise<readonly (AppliedEvent | undefined)[]> {
  return async (items) => {
    const outcomes: Outcomes = new Map();
    let left = await applyOnce(deps, items, { outcomes, locks: false });
    const locks = deps.database.engine === "postgres";
    while (left.length > 0) left = await applyOnce(deps, left, { outcomes, locks });
    return items.map((item) => outcomes.get(item));
  };
}

/** Applies events once, and adds their outcomes. Returns the items whose runs have changed meanwhile. */
async function applyOnce(
  deps: TurnDeps,
  items: readonly RunItem[],
  { outcomes, locks }: { readonly outcomes: Outcomes; readonly locks: boolean },
): Promise<readonly RunItem[]> {
  let last: Attempt | undefined;
  try {
    const run = async (locked?: Transaction<WorkflowTables>): Promise<Attempt> =>
      (last = await attempt(deps, items, locked));
    last = await (locks ? deps.database.transaction(run) : run());
  } catch (error) {
    last?.committed.abandon();
    throw error;
  }
  const { turns, loaded, lost, committed } = last;
  committed.confirm();
  const stale: RunItem[] = [];
  for (const turn of turns) {
    const run = hasChanged(turn) ? committed.stored.get(turn) : turn.before;
    if (run === undefined) stale.push(...turn.items);
    else for (const [item, outcome] of outcomesOf(turn, run)) outcomes.set(item, outcome);
  }
  for (const item of lost) {
    const run = loaded.runs.get(item.runId);
    outcomes.set(item, run && { run, hasChanged: false });
  }
  await endUnreadables(deps, loaded);
  return stale;
}

/** Turns that are written, perhaps in a transaction that has not ended. */
interface Attempt {
  readonly turns: readonly Turn[];
  readonly loaded: LoadedRuns;
  /** Items whose lease of the call has expired. */
  readonly lost: ReadonlySet<RunItem>;
  readonly committed: CommittedTurns;
}

/** `locked`: a transaction on PostgreSQL, in which the runs are locked. */
async function attempt(
  deps: TurnDeps,
  items: readonly RunItem[],
  locked: Transaction<WorkflowTables> | undefined,
): Promise<Attempt> {
  const { engine, db } = deps.database;
  const byRun = Map.groupBy(items, ({ runId }) => runId);
  const loaded = await loadRuns(locked ?? db, { ...deps, engine, locks: locked !== undefined }, [...byRun.keys()]);
  deps.clock.learn(loaded.at);
  // Without a lock, PostgreSQL refuses a write that ends a lost call, and it is retried.
  const lost = engine === "postgres" && !locked ? new Set<RunItem>() : await findLost(deps.jobs, items, locked);
  const turns = [...loaded.runs].map(([runId, run]) => {
    const kept = (byRun.get(runId) ?? []).filter((item) => !lost.has(item));
    return turnOf(run, kept, loaded.at);
  });
  const committed = await commitTurns(deps, turns.filter(hasChanged), { transaction: locked });
  return { turns, loaded, lost, committed };
}

/** Returns the items that end a call which this process no longer leases. */
async function findLost(
  jobs: TurnDeps["jobs"],
  items: readonly RunItem[],
  locked: Transaction<WorkflowTables> | undefined,
): Promise<ReadonlySet<RunItem>> {
  const leases = items.flatMap((item) => {
    const { id, attempt: leased } = ("call" in item.event && item.event.call) || {};
    return id === undefined || leased === undefined ? [] : { item, id, attempt: leased };
  });
  const lost = new Set((await jobs.lost(leases, locked)).map(({ id }) => id));
  return new Set(leases.flatMap(({ item, id }) => (lost.has(id) ? [item] : [])));
}

async function endUnreadables({ database, codec, emit, onChanged }: TurnDeps, loaded: LoadedRuns): Promise<void> {
  const { unreadable, at } = loaded;
  if (unreadable.size === 0) return;
  const ids = [...unreadable.keys()];
  await database.transaction((transaction) => endUnreadable(transaction, codec, { ids, at }));
  for (const [run_id, cause] of unreadable) emit("run_unreadable", { run_id, cause });
  onChanged(ids.map((runId) => ({ runId, dueAt: null })));
}
