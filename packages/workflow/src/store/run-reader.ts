import { isRunId, type RunList, type RunState, type WorkflowRun, type WorkflowStepRecord } from "@crosszone/contracts";
import { columnText, now, retryTransient, type Database } from "@crosszone/sql";
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

/** A run for display. */
export interface ReadRun {
  readonly run: WorkflowRun;
  /** For `progressOf` and `graphOf`. */
  readonly record: RunRecord;
}

/** The states of a run's steps. */
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

/** Readings of all runs, for metrics. */
export interface RunReadings {
  /** Runs that have not ended. */
  readonly open: number;
  /** The longest delay of a due timer, milliseconds; 0 when none is due. */
  readonly oldestDueMs: number;
}

/** Reads runs, each as a consistent snapshot. Rejects with a `SealedTextError` if no key decrypts a run. */
export interface RunReader {
  /** Returns the input of `changesSince` for a revision. Leaves out unchanged steps where possible. */
  readonly changed: (runId: string, since: number) => Promise<PresentedRun | undefined>;
  /** Undefined if the run does not exist. */
  readonly get: (runId: string) => Promise<ReadRun | undefined>;
  /**
   * Returns the states of a run's steps, for `progressOf`, without reading or decrypting inputs and outputs. Undefined if the run does not
   * exist.
   */
  readonly states: (runId: string) => Promise<RunStates | undefined>;
  /** Returns all attempts of one step instance, oldest first. */
  readonly attempts: (runId: string, path: string) => Promise<readonly WorkflowStepRecord[]>;
  /** Newest first. */
  readonly list: (query: RunQuery) => Promise<RunList>;
  readonly readings: () => Promise<RunReadings>;
}

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/** Whether the step's output is computed from its inner steps. */
const isPutTogether = ({ state, task_id }: StepRow): boolean => state === "succeeded" && task_id === null;

export function createRunReader(
  { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
  reading: RunReading,
): RunReader {
  const { codec } = reading;
  const reach = <T>(operation: () => Promise<T>): Promise<T> => retryTransient(operation, { budgetMs: patienceMs });

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
        // Uses the index: the table can be large.
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
