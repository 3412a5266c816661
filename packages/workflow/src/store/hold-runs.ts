import { SealedTextError } from "@crosszone/service-kit";
import { forUpdate, now, type Engine } from "@crosszone/sql";
import type { Kysely } from "kysely";
import type { RunCache } from "./run-cache.ts";
import type { RunReading } from "./run-reading.ts";
import { storedRunOf, type RunRow } from "./run-row.ts";
import type { StepRow } from "./step-row.ts";
import type { StoredRun } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

export interface HoldDeps extends RunReading {
  readonly engine: Engine;
  readonly cache: RunCache;
  /** Whether `db` is a transaction on PostgreSQL, until whose end the runs shall be locked. */
  readonly locks: boolean;
}

/** Runs as they are stored. */
export interface HeldRuns {
  /** Now, by the database's clock. */
  readonly at: number;
  readonly runs: ReadonlyMap<string, StoredRun>;
  /** Runs that no key decrypts, with the errors. */
  readonly unreadable: ReadonlyMap<string, SealedTextError>;
}

/** Reads runs. Missing ones are left out. */
export async function holdRuns(
  db: Kysely<WorkflowTables>,
  { engine, cache, locks, ...reading }: HoldDeps,
  ids: readonly string[],
): Promise<HeldRuns> {
  // Lock in one order everywhere: PostgreSQL aborts one of two transactions that lock the same rows in different orders.
  const locked = await db
    .selectFrom("workflow_run")
    .select(["run_id", "revision", "created_at", now(engine).as("at")])
    .where("run_id", "in", ids)
    .orderBy("run_id")
    .$if(locks, (query) => query.modifyEnd(forUpdate(engine)))
    .execute();
  const runs = new Map<string, StoredRun>();
  const unreadable = new Map<string, SealedTextError>();
  const missing: string[] = [];
  let at = 0;
  for (const row of locked) {
    at = Math.max(at, row.at);
    const known = cache.get(row);
    if (known) runs.set(row.run_id, known);
    else missing.push(row.run_id);
  }
  if (missing.length === 0) return { at, runs, unreadable };
  const { rows, stepsOf } = await readRows(db, missing);
  for (const row of rows) {
    try {
      runs.set(row.run_id, storedRunOf(row, stepsOf(row.run_id), reading));
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      unreadable.set(row.run_id, error);
    }
  }
  return { at, runs, unreadable };
}

interface ReadRows {
  readonly rows: readonly RunRow[];
  readonly stepsOf: (runId: string) => readonly StepRow[];
}

async function readRows(db: Kysely<WorkflowTables>, ids: readonly string[]): Promise<ReadRows> {
  const rows = await db.selectFrom("workflow_run").selectAll().where("run_id", "in", ids).execute();
  const steps = await db.selectFrom("workflow_step").selectAll().where("run_id", "in", ids).execute();
  const byRun = Map.groupBy(steps, ({ run_id }) => run_id);
  return { rows, stepsOf: (runId) => byRun.get(runId) ?? [] };
}
