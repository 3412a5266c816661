import type { WorkflowDefinition } from "@crosszone/contracts";
import type { Purge } from "@crosszone/service-kit";
import { type Database, deleteOlder, forUpdate, now } from "@crosszone/sql";
import { type Kysely, sql } from "kysely";
import { addCounts, hasRoomFor, nothingTaken, type TreeCount, treeLimits, type TreeRoom } from "../steps/run-record.ts";
import type { StoredRun } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** Returns whether runs of a definition start others. */
export const startsRuns = ({ steps }: WorkflowDefinition): boolean =>
  Object.values(steps).some((step) => step?.type === "workflow");

/** Returns the id of the tree that counts a run; undefined for a run alone, whose own record has all counts. */
export const treeOf = ({ origin, plan, record }: StoredRun): string | undefined =>
  origin.tree_id ?? (startsRuns(plan.definition) ? record.run_id : undefined);

/** Returns those of these runs that have ended, or that are in one that has. */
export async function endedAround(db: Kysely<WorkflowTables>, runIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (runIds.length === 0) return new Set();
  const { rows } = await sql<{ below: string }>`
    with recursive up(below, parent_id, ended_at) as (
      select run_id, parent_id, ended_at from workflow_run where run_id in (${sql.join(runIds)})
      union all
      select up.below, run.parent_id, run.ended_at from up join workflow_run run on run.run_id = up.parent_id)
    select distinct below from up where ended_at is not null`.execute(db);
  return new Set(rows.map(({ below }) => below));
}

/** A run, and what a turn of it takes of its tree. */
interface TreeTurn {
  readonly before: StoredRun;
  readonly taken: TreeCount;
}

/** The room of runs in their trees as it was read, less what turns took since. */
export class TreeRooms {
  readonly #counts: Map<string, TreeCount>;
  readonly #over: ReadonlySet<string>;

  private constructor(counts: Map<string, TreeCount>, over: ReadonlySet<string>) {
    this.#counts = counts;
    this.#over = over;
  }

  /**
   * Reads the room of runs. `locks`: within a transaction, in which their trees stay locked: a run that ends meanwhile is seen here, or sees what the
   * transaction stores. Lock trees before runs and jobs everywhere, in one order.
   */
  static async read(
    { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
    runs: readonly StoredRun[],
    locks = false,
  ): Promise<TreeRooms> {
    const trees = [...new Set(runs.flatMap((run) => treeOf(run) ?? []))];
    if (trees.length === 0) return new TreeRooms(new Map(), new Set());
    const found = db.selectFrom("workflow_tree").selectAll().where("tree_id", "in", trees).orderBy("tree_id");
    const rows = await found.$if(locks, (query) => query.modifyEnd(forUpdate(engine))).execute();
    const over = await endedAround(db, [...new Set(runs.flatMap(({ origin }) => origin.parent_id ?? []))]);
    return new TreeRooms(new Map(rows.map((row) => [row.tree_id, row])), over);
  }

  /** Undefined for a run alone. */
  of(run: StoredRun): TreeRoom | undefined {
    const [tree, { parent_id }] = [treeOf(run), run.origin];
    if (tree === undefined) return undefined;
    const isOver = parent_id !== undefined && this.#over.has(parent_id);
    return { ...addCounts(treeLimits, this.#counts.get(tree) ?? oneRun, -1), isOver };
  }

  /** Takes what a turn takes, or with -1 gives it back. Returns false, and takes nothing, where there is no room. */
  take({ before, taken }: TreeTurn, by: 1 | -1 = 1): boolean {
    const [tree, room] = [treeOf(before), this.of(before)];
    if (tree === undefined || room === undefined) return true;
    if (by === 1 && !hasRoomFor(room, taken)) return false;
    const sum = addCounts(this.#counts.get(tree) ?? oneRun, taken, by);
    // What began before an upgrade was not counted, so its end is not either.
    this.#counts.set(tree, { ...sum, waits: Math.max(0, sum.waits) });
    return true;
  }

  /** Stores the counts in the transaction that locked them. */
  async store({ db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">): Promise<void> {
    for (const [tree_id, { runs, steps, paid_calls, waits }] of this.#counts) {
      const counts = { runs, steps, paid_calls, waits };
      const row = db.insertInto("workflow_tree").values({ tree_id, ...counts, created_at: now(engine) });
      await row.onConflict((conflict) => conflict.column("tree_id").doUpdateSet(counts)).execute();
    }
  }
}

const oneRun: TreeCount = { ...nothingTaken, runs: 1 };

/** Returns what deletes the counts of trees whose runs are all deleted. */
export function purgeTrees({ db, engine }: Database<WorkflowTables>, retentionMs: number): Purge {
  const before = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  const only = sql<boolean>`not exists (select 1 from workflow_run where workflow_run.tree_id = workflow_tree.tree_id)`;
  const old = { table: "workflow_tree", key: "tree_id", column: "created_at", before, only };
  return { table: old.table, purge: (most) => deleteOlder(db, old, most) };
}

/** Returns the runs in a run, level by level, with those that have ended: a recursive query may read the whole table instead. */
async function runsBelow(db: Kysely<WorkflowTables>, runId: string) {
  const found: { readonly run_id: string; readonly ended_at: number | null }[] = [];
  for (let level = [runId]; level.length > 0;) {
    const { rows } = await sql<(typeof found)[number]>`
      select run_id, ended_at from workflow_run where parent_id in (${sql.join(level)})`.execute(db);
    found.push(...rows);
    level = rows.map(({ run_id }) => run_id);
  }
  return found;
}

/** Returns the open jobs of the runs in a run. */
export async function jobsBelow(db: Kysely<WorkflowTables>, runId: string) {
  const runs = await runsBelow(db, runId);
  if (runs.length === 0) return [];
  const { rows } = await sql<{ id: string; kind: string }>`select id, kind from job
    where parent in (${sql.join(runs.map(({ run_id }) => run_id))}) and state < 4`.execute(db);
  return rows;
}

/** Returns the open runs in a run. */
export const openRunsBelow = async (db: Kysely<WorkflowTables>, runId: string): Promise<readonly string[]> =>
  (await runsBelow(db, runId)).flatMap(({ run_id, ended_at }) => (ended_at === null ? run_id : []));
