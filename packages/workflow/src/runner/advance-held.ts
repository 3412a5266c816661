import type { Kysely, Transaction } from "kysely";
import { endUnreadable } from "../store/end-unreadable.ts";
import { findHeldCalls } from "../store/held-calls.ts";
import { holdRuns, type HeldRuns } from "../store/hold-runs.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { hasChanged, outcomesOf, type Advanced, type AdvanceDeps, type RunItem } from "./advance.ts";
import { turnOf, type RunTurn } from "./run-turn.ts";
import { storeTurns, type WrittenTurn } from "./store-turns.ts";

/** What became of the events of one attempt. */
interface Attempt {
  readonly turns: readonly RunTurn[];
  readonly runs: HeldRuns;
  /** Items whose call this process no longer holds. */
  readonly lost: ReadonlySet<RunItem>;
  readonly written: WrittenTurn | undefined;
}

/**
 * Returns a function that advances runs as they are stored now. It reads them without a lock, and tries those again that have
 * changed meanwhile: on PostgreSQL with their rows locked. On SQLite a lock would be of the whole database, which the intake of
 * calls may have to read.
 */
export function createAdvanceHeld(
  deps: AdvanceDeps,
): (items: readonly RunItem[]) => Promise<readonly (Advanced | undefined)[]> {
  const { database, codec, jobs, observer, onChanged } = deps;
  const { engine } = database;

  /** `locked`: in a transaction on PostgreSQL, which locks the runs. */
  async function attempt(items: readonly RunItem[], locked: Transaction<WorkflowTables> | undefined): Promise<Attempt> {
    const db = locked ?? database.db;
    const byRun = Map.groupBy(items, ({ runId }) => runId);
    const runs = await holdRuns(db, { ...deps, engine, locks: locked !== undefined }, [...byRun.keys()]);
    deps.clock.learn(runs.at);
    // Without a lock, PostgreSQL refuses what ends a lost call, and it is tried again.
    const lost = engine === "postgres" && !locked ? new Set<RunItem>() : await findLost(db, items);
    const turns = [...runs.runs].map(([runId, run]) => {
      const events = (byRun.get(runId) ?? []).filter((item) => !lost.has(item));
      return turnOf(
        run,
        events.map(({ happening }) => ({ ...happening, at: runs.at })),
      );
    });
    const changed = turns.filter(hasChanged);
    const options = locked ? { transaction: locked } : {};
    const written = changed.length === 0 ? undefined : await storeTurns(deps, changed, options);
    return { turns, runs, lost, written };
  }

  async function findLost(db: Kysely<WorkflowTables>, items: readonly RunItem[]): Promise<ReadonlySet<RunItem>> {
    const leases = new Map(items.flatMap((item) => [[item, leaseOf(item)] as const]));
    const owner = jobs.owner();
    const rows = [...leases.values()].flatMap((lease) => (lease ? [{ ...lease, owner }] : []));
    const held = await findHeldCalls(db, engine, rows);
    return new Set(items.filter((item) => leases.get(item) && !held.has(leases.get(item)?.id ?? "")));
  }

  /** Advances the runs of items once. Returns those items whose runs have changed meanwhile. */
  async function advance(
    items: readonly RunItem[],
    { outcomes, locks }: { readonly outcomes: Map<RunItem, Advanced | undefined>; readonly locks: boolean },
  ): Promise<readonly RunItem[]> {
    let tried: Attempt | undefined;
    try {
      const run = async (held?: Transaction<WorkflowTables>): Promise<Attempt> => (tried = await attempt(items, held));
      tried = await (locks ? database.transaction(run) : run());
    } catch (error) {
      tried?.written?.abandon();
      throw error;
    }
    const { turns, runs, lost, written } = tried;
    written?.settle();
    const stored = written?.stored ?? [];
    const moved = new Set(stored.map(({ record }) => record.run_id));
    const done = turns.filter((turn) => !hasChanged(turn) || moved.has(turn.after.run_id));
    const kept = items.filter((item) => !lost.has(item));
    const unchanged = turns.filter((turn) => !hasChanged(turn)).map(({ before }) => before);
    const results = outcomesOf(kept, { turns: done, stored: [...stored, ...unchanged] });
    const again = new Set(turns.filter((turn) => !done.includes(turn)).map(({ after }) => after.run_id));
    kept.forEach((item, index) => outcomes.set(item, results[index]));
    for (const item of lost) outcomes.set(item, noChange(runs, item));
    await endUnreadables(runs);
    return kept.filter(({ runId }) => again.has(runId));
  }

  async function endUnreadables({ unreadable, at }: HeldRuns): Promise<void> {
    if (unreadable.size === 0) return;
    const ids = [...unreadable.keys()];
    await database.transaction((transaction) => endUnreadable(transaction, codec, { ids, at }));
    for (const [runId, cause] of unreadable) observer.runUnreadable(runId, cause);
    onChanged(ids.map((runId) => ({ runId, dueAt: null })));
  }

  return async (items) => {
    const outcomes = new Map<RunItem, Advanced | undefined>();
    let left = await advance(items, { outcomes, locks: false });
    while (left.length > 0) left = await advance(left, { outcomes, locks: engine === "postgres" });
    return items.map((item) => outcomes.get(item));
  };
}

function leaseOf({ happening }: RunItem): { readonly id: string; readonly attempt: number } | undefined {
  const call = "call" in happening ? happening.call : undefined;
  return call?.attempt === undefined ? undefined : { id: call.id, attempt: call.attempt };
}

function noChange({ runs }: HeldRuns, { runId }: RunItem): Advanced | undefined {
  const run = runs.get(runId);
  return run && { run, hasChanged: false };
}
