import { isRunId, type RunList, type RunState, type WorkflowRun, type WorkflowStepRecord } from "@crosszone/contracts";
import { now, patiently, type Database } from "@crosszone/sql";
import { sql, type ExpressionBuilder } from "kysely";
import type { RunRecord } from "../run/run-record.ts";
import { viewOf } from "../run/run-view.ts";
import { readRun } from "./hold-runs.ts";
import { presentRun, presentStep, summaryOf, type PresentedRun } from "./present-run.ts";
import { storedRunOf, type RunReading } from "./run-row.ts";
import type { Page } from "./version-store.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A run for those who look on. */
export interface ReadRun {
  readonly run: WorkflowRun;
  /** For `progressOf` and `graphOf`. */
  readonly record: RunRecord;
}

export interface RunQuery extends Page {
  readonly workflowId?: string;
  readonly state?: RunState;
}

export interface RunReadings {
  /** Runs that have not ended. */
  readonly open: number;
  /** How late the run is that has waited longest to be told the time, milliseconds; 0 when none waits. */
  readonly oldestDueMs: number;
  /** Of those that are kept. */
  readonly byState: Readonly<Record<RunState, number>>;
}

/** Reads runs as they were at one moment. What no key opens rejects with a `SealedTextError`. */
export interface RunReader {
  /** Nothing when there is no such run. */
  readonly present: (runId: string) => Promise<PresentedRun | undefined>;
  readonly get: (runId: string) => Promise<ReadRun | undefined>;
  /** All attempts at one instance of a step, the first one first. */
  readonly attempts: (runId: string, path: string) => Promise<readonly WorkflowStepRecord[]>;
  /** The latest first. */
  readonly list: (query: RunQuery) => Promise<RunList>;
  readonly readings: () => Promise<RunReadings>;
}

/** How long an operation is tried while the database cannot be reached, milliseconds. */
const patienceMs = 1_000;

const none = { pending: 0, running: 0, succeeded: 0, failed: 0, canceled: 0, timed_out: 0 } satisfies Record<
  RunState,
  number
>;

export function createRunReader(
  { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
  reading: RunReading,
): RunReader {
  const { codec } = reading;
  const reach = <T>(operation: () => Promise<T>): Promise<T> => patiently(operation, { budgetMs: patienceMs });

  async function present(runId: string): Promise<PresentedRun | undefined> {
    const found = isRunId(runId) ? await reach(() => readRun(db, runId)) : undefined;
    return found && { ...found, stored: storedRunOf(found.row, found.steps, reading) };
  }

  return {
    present,

    get: async (runId) => {
      const found = await present(runId);
      return found && { run: presentRun(found, codec), record: found.stored.record };
    },

    attempts: async (runId, path) => {
      const found = await present(runId);
      if (found === undefined) return [];
      const { plan, record } = found.stored;
      const view = viewOf(plan.definition, record);
      const attempts = found.steps.filter((step) => step.path === path);
      return attempts.toSorted((a, b) => a.attempt - b.attempt).map((step) => presentStep(step, view, codec));
    },

    list: ({ workflowId, state, limit, offset }) =>
      reach(async () => {
        const isAsked = (eb: ExpressionBuilder<WorkflowTables, "workflow_run">) =>
          eb.and({
            ...(workflowId !== undefined && { workflow_id: workflowId }),
            ...(state !== undefined && { state }),
          });
        const rows = await db
          .selectFrom("workflow_run")
          .select(["run_id", "workflow_id", "version", "name", "state", "revision", "record", "error"])
          .select(["created_at", "started_at", "ended_at", "deadline_at"])
          .where(isAsked)
          .orderBy("created_at", "desc")
          .orderBy("run_id", "desc")
          .limit(limit)
          .offset(offset)
          .execute();
        const { total } = await db
          .selectFrom("workflow_run")
          .select(({ fn }) => fn.countAll<number>().as("total"))
          .where(isAsked)
          .executeTakeFirstOrThrow();
        return { runs: rows.map((row) => summaryOf(row, codec)), total, limit, offset };
      }),

    readings: () =>
      reach(async () => {
        const { rows } = await sql<{ state: RunState; count: number }>`
          select state, count(*) as count from workflow_run group by state`.execute(db);
        const due = await sql<{ ms: number | null }>`
          select ${now(engine)} - min(due_at) as ms from workflow_run where due_at is not null`.execute(db);
        const byState = { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
        const oldestDueMs = Math.max(0, due.rows[0]?.ms ?? 0);
        return { open: byState.pending + byState.running, oldestDueMs, byState };
      }),
  };
}
