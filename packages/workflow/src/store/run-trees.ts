import type { WorkflowDefinition } from "@crosszone/contracts";
import type { Purge } from "@crosszone/service-kit";
import { type Database, deleteOlder, now } from "@crosszone/sql";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { type TreeCount, treeLimits, type TreeRoom } from "../steps/run-record.ts";
import type { StoredRun } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

const names = ["runs", "steps", "paid_calls", "waits"] as const satisfies readonly (keyof TreeCount)[];

const countsOf = (valueOf: (name: keyof TreeCount) => number): TreeCount => ({
  runs: valueOf("runs"),
  steps: valueOf("steps"),
  paid_calls: valueOf("paid_calls"),
  waits: valueOf("waits"),
});

export const nothingTaken: TreeCount = countsOf(() => 0);

/** A room in which everything starts: what a turn takes is checked when it is stored. */
const unchecked: TreeRoom = countsOf(() => Infinity);

export const addCounts = (one: TreeCount, other: TreeCount, by: 1 | -1 = 1): TreeCount =>
  countsOf((name) => one[name] + by * other[name]);

/** Returns whether runs of a definition start others. */
export const startsRuns = ({ steps }: WorkflowDefinition): boolean =>
  Object.values(steps).some((step) => step?.type === "workflow");

/** Returns the id of the tree that counts a run; undefined for a run alone, whose own record has all counts. */
export const treeOf = ({ origin, plan, record }: StoredRun): string | undefined =>
  origin.tree_id ?? (startsRuns(plan.definition) ? record.run_id : undefined);

export const uncheckedRoom = (run: StoredRun): TreeRoom | undefined =>
  treeOf(run) === undefined ? undefined : unchecked;

/** Returns those of these runs that have ended, or that are in one that has. */
async function endedAround(db: Kysely<WorkflowTables>, runIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (runIds.length === 0) return new Set();
  const { rows } = await sql<{ below: string }>`
    with recursive up(below, parent_id, ended_at) as (
      select run_id, parent_id, ended_at from workflow_run where run_id in (${sql.join(runIds)})
      union all
      select up.below, run.parent_id, run.ended_at from up join workflow_run run on run.run_id = up.parent_id)
    select distinct below from up where ended_at is not null`.execute(db);
  return new Set(rows.map(({ below }) => below));
}

/** Returns whether a run has ended, or one around it that ends it. */
export const hasEndedAround = async (db: Kysely<WorkflowTables>, runId: string): Promise<boolean> =>
  (await endedAround(db, [runId])).has(runId);

/** Reads the room of runs in their trees. Each call of the returned function takes what a turn of a run has taken. */
export async function readRooms(db: Kysely<WorkflowTables>, runs: Iterable<StoredRun>) {
  const inTrees = [...runs].flatMap((run) => treeOf(run) ?? []);
  const parents = [...runs].flatMap(({ origin }) => origin.parent_id ?? []);
  if (inTrees.length === 0) return { roomOf: uncheckedRoom, take: () => undefined };
  const found = await db.selectFrom("workflow_tree").selectAll().where("tree_id", "in", inTrees).execute();
  const over = await endedAround(db, parents);
  const counts = new Map<string, TreeCount>(found.map((tree) => [tree.tree_id, tree]));
  return {
    roomOf: (run: StoredRun): TreeRoom | undefined => {
      const tree = treeOf(run);
      if (tree === undefined) return undefined;
      const isOver = run.origin.parent_id !== undefined && over.has(run.origin.parent_id);
      return { ...addCounts(treeLimits, counts.get(tree) ?? firstRun, -1), isOver };
    },
    take: (run: StoredRun, taken: TreeCount): void => {
      const tree = treeOf(run) ?? "";
      counts.set(tree, addCounts(counts.get(tree) ?? firstRun, taken));
    },
  };
}

const firstRun: TreeCount = { ...nothingTaken, runs: 1 };

/** A run, and what a turn of it takes of its tree. */
export interface TreeTurn {
  readonly before: StoredRun;
  readonly taken: TreeCount;
}

/** Locks trees until the transaction ends, in one order everywhere, and before runs and jobs. */
export async function lockTrees(tx: Transaction<WorkflowTables>, trees: readonly string[]): Promise<void> {
  if (trees.length === 0) return;
  await sql`select tree_id from workflow_tree where tree_id in (${sql.join(trees)}) order by tree_id for update`.execute(
    tx,
  );
}

/**
 * Counts what turns take, each tree in one statement, so that no two processes pass a limit together. Returns those turns that must not be stored:
 * their tree has no room for all of them, or a run around them has ended. The trees stay locked: a run that ends meanwhile is seen, or
 * sees what was stored here.
 */
export async function countTurns<One extends TreeTurn>(
  tx: Transaction<WorkflowTables>,
  engine: Database<WorkflowTables>["engine"],
  turns: readonly One[],
): Promise<ReadonlySet<One>> {
  const refused = new Set<One>();
  const byTree = [...Map.groupBy(turns, ({ before }) => treeOf(before) as string)];
  for (const [tree, own] of byTree.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const all = own.reduce((sum, { taken }) => addCounts(sum, taken), nothingTaken);
    if (!(await addToTree(tx, engine, { tree, all }))) own.forEach((turn) => refused.add(turn));
  }
  const starting = turns.filter((turn) => turn.taken.steps > 0 && !refused.has(turn));
  const over = await endedAround(tx, [...new Set(starting.flatMap(({ before }) => before.origin.parent_id ?? []))]);
  const ended = starting.filter(({ before }) => over.has(before.origin.parent_id ?? ""));
  await giveBack(tx, engine, ended);
  ended.forEach((turn) => refused.add(turn));
  return refused;
}

/** Counts no longer what turns took that were not stored. */
export async function giveBack(
  tx: Transaction<WorkflowTables>,
  engine: Database<WorkflowTables>["engine"],
  turns: readonly TreeTurn[],
): Promise<void> {
  for (const { before, taken } of turns)
    await addToTree(tx, engine, { tree: treeOf(before) as string, all: addCounts(nothingTaken, taken, -1) });
}

/** Adds to what a tree has, unless something would pass its limit. Returns whether it did. */
async function addToTree(
  tx: Transaction<WorkflowTables>,
  engine: Database<WorkflowTables>["engine"],
  { tree, all }: { readonly tree: string; readonly all: TreeCount },
): Promise<boolean> {
  const first = addCounts(firstRun, all);
  if (names.some((name) => all[name] > 0 && first[name] > treeLimits[name])) return false;
  const sum = (name: keyof TreeCount): RawBuilder<number> =>
    sql`workflow_tree.${sql.ref(name)} + ${sql.lit(all[name])}`;
  // What began before an upgrade was not counted, so its end is not either.
  const set = names.map((name) => sql`${sql.ref(name)} = case when ${sum(name)} < 0 then 0 else ${sum(name)} end`);
  const fits = names.map((name) => (all[name] > 0 ? sql`${sum(name)} <= ${sql.lit(treeLimits[name])}` : sql`true`));
  const values = names.map((name) => sql.lit(Math.max(0, first[name])));
  const { rows } = await sql`
    insert into workflow_tree (tree_id, ${sql.join(names.map((name) => sql.ref(name)))}, created_at)
    values (${tree}, ${sql.join(values)}, ${now(engine)})
    on conflict (tree_id) do update set ${sql.join(set)}
    where ${sql.join(fits, sql` and `)} returning tree_id`.execute(tx);
  return rows.length > 0;
}

/** Returns what deletes the counts of trees whose runs are all deleted. */
export const purgeTrees = ({ db, engine }: Database<WorkflowTables>, retentionMs: number): Purge => ({
  table: "workflow_tree",
  purge: (most) =>
    deleteOlder(
      db,
      {
        table: "workflow_tree",
        key: "tree_id",
        column: "created_at",
        before: sql<number>`(select ${now(engine)} - ${retentionMs})`,
        only: sql`not exists (select 1 from workflow_run where workflow_run.tree_id = workflow_tree.tree_id)`,
      },
      most,
    ),
});

/** The runs in these runs, however deep, with those that have ended. */
const below = (runIds: readonly string[]): RawBuilder<unknown> => sql`
  with recursive below(run_id) as (
    select run_id from workflow_run where parent_id in (${sql.join(runIds)})
    union all select run.run_id from below join workflow_run run on run.parent_id = below.run_id)`;

/** Returns the open jobs of the runs in a run. */
export async function jobsBelow(db: Kysely<WorkflowTables>, runId: string) {
  const { rows } = await sql<{ id: string; kind: string }>`${below([runId])}
    select job.id, job.kind from below join job on job.parent = below.run_id where job.state < 4`.execute(db);
  return rows;
}

/** Returns the open runs in a run. */
export async function openRunsBelow(db: Kysely<WorkflowTables>, runId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ run_id: string }>`${below([runId])}
    select run.run_id from below join workflow_run run on run.run_id = below.run_id where run.ended_at is null`.execute(
    db,
  );
  return rows.map(({ run_id }) => run_id);
}
