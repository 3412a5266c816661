import type { RunProblem } from "@crosszone/contracts";
import { isKeyMissing, type RecordCodec, SealedTextError } from "@crosszone/service-kit";
import { type Engine, forUpdate, now } from "@crosszone/sql";
import type { Kysely, Transaction } from "kysely";
import { type StepRow, storedRunOf } from "./run-row.ts";
import { type RunCache, runContext, type RunReading, type StoredRun } from "./stored-run.ts";
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

/** The error of a run that can't be decrypted. */
export const unreadableProblem: RunProblem = {
  kind: "internal",
  message: "The run can't be read: its key is missing, or its stored text was modified.",
};

/** Ends open runs that can't be decrypted. They could never continue. */
export async function endUnreadable(
  transaction: Transaction<WorkflowTables>,
  codec: RecordCodec,
  { ids, at }: { readonly ids: readonly string[]; readonly at: number },
): Promise<void> {
  for (const id of ids) {
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
}
