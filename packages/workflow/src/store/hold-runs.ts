import { SealedTextError } from "@crosszone/service-kit";
import { forUpdate, now, type Engine } from "@crosszone/sql";
import { sql, type Kysely, type Transaction } from "kysely";
import type { RunCache } from "./run-cache.ts";
import { runStatesColumns, storedRunOf, type RunReading, type RunRow, type RunStatesRow } from "./run-row.ts";
import { stepStateColumns, type StepRow, type StepStateRow } from "./step-row.ts";
import type { StoredRun } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

export interface HoldDeps extends RunReading {
  readonly engine: Engine;
  readonly cache: RunCache;
}

export interface HeldRuns {
  /** Now, by the database's clock. */
  readonly at: number;
  readonly runs: ReadonlyMap<string, StoredRun>;
  /** Runs that no key opens, with what was thrown. */
  readonly unreadable: ReadonlyMap<string, SealedTextError>;
}

/** Reads runs, and keeps every other process from changing them until the transaction ends. Those that are not there are left out. */
export async function holdRuns(
  transaction: Transaction<WorkflowTables>,
  { engine, cache, ...reading }: HoldDeps,
  ids: readonly string[],
): Promise<HeldRuns> {
  // Locked in one order by all: of two transactions that lock the same rows in different orders PostgreSQL would end one.
  const locked = await transaction
    .selectFrom("workflow_run")
    .select(["run_id", "revision", "created_at", now(engine).as("at")])
    .where("run_id", "in", ids)
    .orderBy("run_id")
    .modifyEnd(forUpdate(engine))
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
  const { rows, stepsOf } = await readRows(transaction, missing);
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

/** A run's row and those of its steps, those that changed after a revision, as they were at one moment. Nothing when there is no such run. */
export async function readRun(
  db: Kysely<WorkflowTables>,
  runId: string,
  since = -1,
): Promise<RunRows<RunRow, StepRow> | undefined> {
  const steps = db.selectFrom("workflow_step").selectAll().where("run_id", "=", runId);
  return atOneMoment({
    row: () => db.selectFrom("workflow_run").selectAll().where("run_id", "=", runId).executeTakeFirst(),
    steps: () => steps.where("revision", ">", since).execute(),
  });
}

/** A run and all its steps without what people and agents have said, however much that is. */
export const readStates = (
  db: Kysely<WorkflowTables>,
  runId: string,
): Promise<RunRows<RunStatesRow, StepStateRow> | undefined> =>
  atOneMoment({
    row: () => db.selectFrom("workflow_run").select(runStatesColumns).where("run_id", "=", runId).executeTakeFirst(),
    steps: () => db.selectFrom("workflow_step").select(stepStateColumns).where("run_id", "=", runId).execute(),
  });

interface RunRows<Row, Step> {
  readonly row: Row;
  readonly steps: readonly Step[];
}

interface Revised {
  readonly revision: number;
}

async function atOneMoment<Row extends Revised, Step extends Revised>(read: {
  readonly row: () => Promise<Row | undefined>;
  readonly steps: () => Promise<readonly Step[]>;
}): Promise<RunRows<Row, Step> | undefined> {
  for (;;) {
    const row = await read.row();
    if (row === undefined) return undefined;
    const steps = await read.steps();
    // A step of a later revision says that the run went on between the two reads.
    if (steps.every(({ revision }) => revision <= row.revision)) return { row, steps };
  }
}

/** Which runs want to be told the time, those that have waited longest first. */
export async function findDueRuns(db: Kysely<WorkflowTables>, engine: Engine, most: number): Promise<string[]> {
  const { rows } = await sql<{ run_id: string }>`
    select run_id from workflow_run where due_at <= (select ${now(engine)}) order by due_at limit ${most}`.execute(db);
  return rows.map(({ run_id }) => run_id);
}
