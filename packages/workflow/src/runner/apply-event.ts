import type { NewAuditEvent } from "@crosszone/audit";
import { SealedTextError } from "@crosszone/service-kit";
import { createGroupCommit, isTransient } from "@crosszone/sql";
import type { Transaction } from "kysely";
import { answerConditions } from "../expressions/answer-conditions.ts";
import type { RunEvent } from "../run/run-events.ts";
import { type LoadedRuns, loadRuns } from "../store/load-runs.ts";
import { unreadableProblem } from "../store/present-run.ts";
import { treeOf, TreeRooms } from "../store/run-trees.ts";
import { runContext, type StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { type CommittedTurns, commitTurns, type TurnDeps } from "./commit-turns.ts";
import { type AppliedEvent, hasChanged, outcomesOf, type RunItem, type Turn, turnOf } from "./turn.ts";

/** What came of an event; undefined for an unknown run, an error if this process lacks the run's key. */
type Outcome = AppliedEvent | SealedTextError | undefined;

type Outcomes = Map<RunItem, Outcome>;

/**
 * Applies events to runs as they are stored now. It reads them without a lock, and retries those that have changed
 * meanwhile: on PostgreSQL with their rows locked. SQLite would lock the whole database, which the intake of calls may have to read.
 */
async function applyToStored(deps: TurnDeps, items: readonly RunItem[]): Promise<readonly Outcome[]> {
  const outcomes: Outcomes = new Map();
  const known = new Map<string, StoredRun>();
  let left = await applyOnce(deps, items, { outcomes, known, locks: false });
  const locks = deps.database.engine === "postgres";
  while (left.length > 0) left = await applyOnce(deps, left, { outcomes, known, locks });
  return items.map((item) => outcomes.get(item));
}

/** Applies events once, and adds their outcomes. Returns the items whose runs have changed meanwhile. */
async function applyOnce(
  deps: TurnDeps,
  items: readonly RunItem[],
  {
    outcomes,
    known,
    locks,
  }: { readonly outcomes: Outcomes; readonly known: Map<string, StoredRun>; readonly locks: boolean },
): Promise<readonly RunItem[]> {
  let last: Attempt | undefined;
  try {
    const run = async (locked?: Transaction<WorkflowTables>): Promise<Attempt> => {
      if (locked) await TreeRooms.read({ db: locked, engine: deps.database.engine }, [...known.values()], true);
      return (last = await attempt(deps, items, { locked, isFirst: known.size === 0 }));
    };
    last = await (locks ? deps.database.transaction(run) : run());
  } catch (error) {
    last?.committed.abandon();
    throw error;
  }
  const { turns, loaded, lost, committed } = last;
  committed.confirm();
  for (const [id, run] of loaded.runs) known.set(id, run);
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
  for (const item of items) {
    const missing = loaded.elsewhere.get(item.runId);
    if (missing !== undefined) outcomes.set(item, missing);
  }
  await endUnreadable(deps, loaded);
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
  { locked, isFirst }: { readonly locked: Transaction<WorkflowTables> | undefined; readonly isFirst: boolean },
): Promise<Attempt> {
  const { engine, db } = deps.database;
  const byRun = Map.groupBy(items, ({ runId }) => runId);
  const loaded = await loadRuns(locked ?? db, { ...deps, engine, locks: locked !== undefined }, [...byRun.keys()]);
  deps.clock.learn(loaded.at);
  // Without a lock, PostgreSQL refuses a write that ends a lost call, and it is retried.
  const lost = engine === "postgres" && !locked ? new Set<RunItem>() : await findLost(deps.jobs, items, locked);
  // Nearly always there is room: the commit checks it, and what it refuses comes here again.
  const rooms = await TreeRooms.read({ db: locked ?? db, engine }, isFirst ? [] : [...loaded.runs.values()]);
  const turns = [...loaded.runs].map(([runId, run]) => {
    const kept = (byRun.get(runId) ?? []).filter((item) => !lost.has(item));
    const turn = turnOf(run, kept, { at: loaded.at, room: rooms.of(run) });
    rooms.take(turn);
    return turn;
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

/** Ends open runs that can't be decrypted. They could never continue. */
async function endUnreadable({ database, codec, emit, onChanged }: TurnDeps, loaded: LoadedRuns): Promise<void> {
  const { unreadable, at } = loaded;
  if (unreadable.size === 0) return;
  await database.transaction(async (transaction) => {
    for (const id of unreadable.keys()) {
      const ended = await transaction
        .updateTable("workflow_run")
        .set((eb) => ({
          state: "failed",
          revision: eb("revision", "+", 1),
          state_revision: eb("revision", "+", 1),
          due_at: null,
          updated_at: at,
          ended_at: at,
          error: codec.toColumn(unreadableProblem, runContext("error", id)),
        }))
        .where("run_id", "=", id)
        .where("ended_at", "is", null)
        .returning("revision")
        .executeTakeFirst();
      if (ended === undefined) continue;
      await transaction
        .updateTable("workflow_step")
        .set({ state: "canceled", ended_at: at, revision: ended.revision })
        .where("run_id", "=", id)
        .where("state", "in", ["running", "pending"])
        .execute();
    }
  });
  for (const [run_id, cause] of unreadable) emit("run_unreadable", { run_id, cause });
  onChanged([...unreadable.keys()].map((runId) => ({ runId, dueAt: null })));
}

/**
 * Applies an event to a run, which may be an act for the audit log. Resolves with undefined if the run does not exist. Rejects if its key is
 * missing (`isKeyMissing`): another process can apply it.
 */
export type ApplyEvent = (runId: string, event: RunEvent, act?: NewAuditEvent) => Promise<AppliedEvent | undefined>;

/**
 * PostgreSQL performs best with two small groups at once; with one, all runs would advance in lockstep. SQLite has one writer, and each
 * commit flushes.
 */
const groups = {
  postgres: { most: 32, concurrency: 2 },
  sqlite: { most: 100, concurrency: 1 },
} as const;

/** Maximum number of events in one transaction that reads runs, if they are small. */
const mostStored = 100;

/**
 * Returns a function that applies events to runs. Each event is one atomic change: the run's new state, its steps, the end of
 * the call whose result it is, and the next calls. No process owns a run. A process computes the change of a run that it
 * changed last and writes it only if the run is unchanged; otherwise it reads the run first. Concurrent events share
 * a write, and those of one run a turn.
 */
export function createApplyEvent(deps: TurnDeps): ApplyEvent {
  const { database, cache, clock, jobs } = deps;
  const sizeOf = ({ event }: RunItem): number =>
    "result" in event && event.result ? JSON.stringify(event.result.output_data).length : 0;
  const keysOf = ({ runId }: RunItem): readonly string[] => [runId];
  const applyCached = createGroupCommit(applyToCached, { ...groups[database.engine], sizeOf, keysOf });
  const applyStored = createGroupCommit((items: readonly RunItem[]) => applyToStored(deps, items), {
    most: mostStored,
    sizeOf,
  });

  /** Applies events to runs of this process's cache. Returns undefined for other runs, and where nothing changes. */
  async function applyToCached(items: readonly RunItem[]): Promise<readonly (AppliedEvent | undefined)[]> {
    const at = clock.now();
    if (at === undefined) return items.map(() => undefined);
    const turns = [...Map.groupBy(items, ({ runId }) => runId)].flatMap(([runId, own]) => {
      const before = cache.latest(runId);
      return before && treeOf(before) === undefined ? turnOf(before, own, { at }) : [];
    });
    const asking = turns.filter(({ asks }) => asks);
    const outcomes = new Map(asking.flatMap((turn) => outcomesOf(turn, turn.before)));
    const changing = turns.filter(hasChanged);
    try {
      const { stored, confirm } = await commitTurns(deps, changing);
      confirm();
      for (const turn of changing) {
        const run = stored.get(turn);
        if (run === undefined) cache.drop(turn.after.run_id);
        else for (const [item, outcome] of outcomesOf(turn, run)) outcomes.set(item, outcome);
      }
    } catch (error) {
      // If one of them can't be written, the others must not fail with it.
      if (isTransient(error)) throw error;
    }
    return items.map((item) => outcomes.get(item));
  }

  return async (runId, event, act) => {
    const item = { runId, event, act, answers: new Map() };
    for (let usedMs = 0; ;) {
      const cached = await applyCached(item);
      if (cached === undefined) await jobs.settleClock();
      const outcome = cached ?? (await applyStored(item));
      if (outcome instanceof SealedTextError) throw outcome;
      if (outcome?.asks === undefined) return outcome;
      usedMs = await answerConditions(outcome.asks, item.answers, usedMs);
    }
  };
}
