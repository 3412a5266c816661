import { isKeyMissing, SealedTextError } from "@crosszone/service-kit";
import { type Engine, forUpdate, now } from "@crosszone/sql";
import type { Kysely } from "kysely";
import { type StepRow, storedRunOf } from "./run-row.ts";
import type { RunCache, RunReading, StoredRun } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

interface LoadDeps extends RunReading {
  readonly engine: Engine;
  readonly cache: RunCache;
  /** Whether `db` is a transaction on PostgreSQL, and the runs stay locked until it ends. */
  readonly locks: boolean;
}

export interface LoadedRuns {
  /** Now, by the database's clock. */
  readonly at: number;
  readonly runs: ReadonlyMap<string, StoredRun>;
  /** Runs that can't be decrypted any more, with the errors: they were modified, or their deadline passed without their key. */
  readonly unreadable: ReadonlyMap<string, SealedTextError>;
  /** Runs whose key other processes may have, with the errors. */
  readonly elsewhere: ReadonlyMap<string, SealedTextError>;
}

/** Reads runs. Missing ones are left out. */
export async function loadRuns(
  db: Kysely<WorkflowTables>,
  { engine, cache, locks, ...reading }: LoadDeps,
  ids: readonly string[],
): Promise<LoadedRuns> {
  // Lock in one order everywhere: PostgreSQL aborts one of two transactions that lock the same rows in different orders.
  const locked = await db
    .selectFrom("workflow_run")
    .select(["run_id", "revision", "created_at", now(engine).as("at")])
    .where("run_id", "in", ids)
    .orderBy("run_id")
    .$if(locks, (query) => query.modifyEnd(forUpdate(engine)))
    .execute();
  const runs = new Map<string, StoredRun>();
  const [unreadable, elsewhere] = [new Map<string, SealedTextError>(), new Map<string, SealedTextError>()];
  const missing: string[] = [];
  let at = 0;
  for (const row of locked) {
    at = Math.max(at, row.at);
    const known = cache.get(row);
    if (known) runs.set(row.run_id, known);
    else missing.push(row.run_id);
  }
  if (missing.length === 0) return { at, runs, unreadable, elsewhere };
  const { rows, stepsOf } = await readRows(db, missing);
  for (const row of rows) {
    try {
      runs.set(row.run_id, storedRunOf(row, stepsOf(row.run_id), reading));
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      const isOver = row.deadline_at !== null && row.deadline_at < at;
      (isKeyMissing(error) && !isOver ? elsewhere : unreadable).set(row.run_id, error);
    }
  }
  return { at, runs, unreadable, elsewhere };
}

async function readRows(db: Kysely<WorkflowTables>, ids: readonly string[]) {
  const rows = await db.selectFrom("workflow_run").selectAll().where("run_id", "in", ids).execute();
  const steps = await db.selectFrom("workflow_step").selectAll().where("run_id", "in", ids).execute();
  const byRun = Map.groupBy(steps, ({ run_id }) => run_id);
  return { rows, stepsOf: (runId: string): readonly StepRow[] => byRun.get(runId) ?? [] };
}
