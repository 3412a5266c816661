import { isRunId, type RunList, type RunState, type WorkflowRun, type WorkflowStepRecord } from "@crosszone/contracts";
import { columnText, now, patiently, type Database } from "@crosszone/sql";
import { sql, type ExpressionBuilder } from "kysely";
import type { RunRecord } from "../run/run-record.ts";
import { viewOf } from "../run/run-view.ts";
import { presentRun, presentStep, type PresentedRun } from "./present-run.ts";
import type { RunReading } from "./run-reading.ts";
import { runStatesOf, storedRunOf } from "./run-row.ts";
import { readRun, readStates } from "./run-rows.ts";
import { summaryColumns, summaryOf } from "./run-summary.ts";
import type { StepRow } from "./step-row.ts";
import type { Page } from "./version-store.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A run for those who look on. */
export interface ReadRun {
  readonly run: WorkflowRun;
  /** For `progressOf` and `graphOf`. */
  readonly record: RunRecord;
}

/** How a run stands. */
export interface RunStates {
  readonly run: Pick<WorkflowRun, "revision" | "definition">;
  /** Without input, outputs and errors. */
  readonly record: RunRecord;
}

export interface RunQuery extends Page {
  readonly workflowId?: string;
  readonly state?: RunState;
  readonly correlationId?: string;
}

/** How all runs are, for metrics. */
export interface RunReadings {
  /** Runs that have not ended. */
  readonly open: number;
  /** How late the run is that has waited longest to be told the time, milliseconds; 0 when none waits. */
  readonly oldestDueMs: number;
}

/** Reads runs as they were at one moment. What no key opens rejects with a `SealedTextError`. */
export interface RunReader {
  /** What `changesSince` needs to tell of a revision; the steps that did not change since are left out where it can do without. */
  readonly changed: (runId: string, since: number) => Promise<PresentedRun | undefined>;
  /** Nothing when there is no such run. */
  readonly get: (runId: string) => Promise<ReadRun | undefined>;
  /** How a run stands, for `progressOf`: what was said is not read, and need not be opened. Nothing when there is no such run. */
  readonly states: (runId: string) => Promise<RunStates | undefined>;
  /** All attempts at one instance of a step, the first one first. */
  readonly attempts: (runId: string, path: string) => Promise<readonly WorkflowStepRecord[]>;
  /** The latest first. */
  readonly list: (query: RunQuery) => Promise<RunList>;
  readonly readings: () => Promise<RunReadings>;
}

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/** Whether what a step put out is that of the steps inside it. */
const isPutTogether = ({ state, task_id }: StepRow): boolean => state === "succeeded" && task_id === null;

export function createRunReader(
  { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
  reading: RunReading,
): RunReader {
  const { codec } = reading;
  const reach = <T>(operation: () => Promise<T>): Promise<T> => patiently(operation, { budgetMs: patienceMs });

  async function present(runId: string, since?: number): Promise<PresentedRun | undefined> {
    const found = isRunId(runId) ? await reach(() => readRun(db, runId, since)) : undefined;
    return found && { ...found, stored: storedRunOf(found.row, found.steps, reading) };
  }

  return {
    changed: async (runId, since) => {
      const found = await present(runId, since);
      return found?.steps.some(isPutTogether) === true ? present(runId) : found;
    },

    get: async (runId) => {
      const found = await present(runId);
      return found && { run: presentRun(found, codec), record: found.stored.record };
    },

    states: async (runId) => {
      const found = isRunId(runId) ? await reach(() => readStates(db, runId)) : undefined;
      if (found === undefined) return undefined;
      const { row, steps } = found;
      const { definition } = reading.planOf(row.definition);
      return { run: { revision: row.revision, definition }, record: runStatesOf(row, steps) };
    },

    attempts: async (runId, path) => {
      const found = await present(runId);
      if (found === undefined) return [];
      const { plan, record } = found.stored;
      const view = viewOf(plan.definition, record);
      const attempts = found.steps.filter((step) => step.path === path);
      return attempts.toSorted((a, b) => a.attempt - b.attempt).map((step) => presentStep(step, view, codec));
    },

    list: ({ workflowId, state, correlationId, limit, offset }) =>
      reach(async () => {
        const isAsked = (eb: ExpressionBuilder<WorkflowTables, "workflow_run">) =>
          eb.and({
            ...(workflowId !== undefined && { workflow_id: workflowId }),
            ...(state !== undefined && { state }),
            ...(correlationId !== undefined && { correlation_id: columnText(correlationId) }),
          });
        const rows = await db
          .selectFrom("workflow_run")
          .select(summaryColumns)
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
        // By the index: all that are kept may be very many.
        const { open } = await db
          .selectFrom("workflow_run")
          .select(({ fn }) => fn.countAll<number>().as("open"))
          .where("state", "in", ["pending", "running"])
          .executeTakeFirstOrThrow();
        const due = await sql<{ ms: number | null }>`
          select ${now(engine)} - min(due_at) as ms from workflow_run where due_at is not null`.execute(db);
        return { open, oldestDueMs: Math.max(0, due.rows[0]?.ms ?? 0) };
      }),
  };
}
