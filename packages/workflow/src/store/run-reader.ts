import { isRunId, type RunList, type WorkflowRun, type WorkflowStepRecord } from "@crosszone/contracts";
import { type Database, retryBriefly } from "@crosszone/sql";
import type { RunRecord } from "../state/run-record.ts";
import { listRuns, readReadings, type RunQuery, type RunReadings } from "./list-runs.ts";
import { type PresentedRun, presentRun, presentStep, shownView, showsComputed } from "./present-run.ts";
import { readRun, readSize, readStates, type RunSize } from "./run-queries.ts";
import { runStatesOf, storedRunOf } from "./run-row.ts";
import type { StepRow } from "./step-row.ts";
import type { RunReading } from "./stored-run.ts";
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

/** Reads runs, each as a consistent snapshot. Rejects with a `SealedTextError` if no key decrypts a run. */
export interface RunReader {
  /** Undefined if the run does not exist. */
  readonly getRun: (runId: string) => Promise<ReadRun | undefined>;
  /**
   * Returns the states of a run's steps, for `progressOf`, without reading or decrypting inputs and outputs. Undefined if the run does not
   * exist.
   */
  readonly states: (runId: string) => Promise<RunStates | undefined>;
  /** Returns the size of `getRun`, `attempts` or an update since a revision. Undefined if the run does not exist. */
  readonly sizeOf: (runId: string, since?: number) => Promise<RunSize | undefined>;
  /** Returns all attempts of one step instance, oldest first. */
  readonly attempts: (runId: string, path: string) => Promise<readonly WorkflowStepRecord[]>;
  /** Newest first. */
  readonly listRuns: (query: RunQuery) => Promise<RunList>;
  readonly readings: () => Promise<RunReadings>;
}

export interface StoredRunReader extends RunReader {
  /** Returns the input of `changesSince` for a revision. Leaves out unchanged steps where possible. */
  readonly changed: (runId: string, since: number) => Promise<PresentedRun | undefined>;
}

/** Whether the step's output is computed from its inner steps. */
const isComputed = ({ state, task_id }: StepRow): boolean => state === "succeeded" && task_id === null;

export function createRunReader({ db, engine }: Database<WorkflowTables>, reading: RunReading): StoredRunReader {
  const { codec } = reading;
  async function present(runId: string, since?: number): Promise<PresentedRun | undefined> {
    const found = isRunId(runId) ? await retryBriefly(() => readRun(db, runId, since)) : undefined;
    return found && { ...found, stored: storedRunOf(found.row, found.steps, reading) };
  }

  return {
    changed: async (runId, since) => {
      const found = await present(runId, since);
      return found && showsComputed(found.stored) && found.steps.some(isComputed) ? present(runId) : found;
    },

    getRun: async (runId) => {
      const found = await present(runId);
      return found && { run: presentRun(found, codec), record: found.stored.record };
    },

    sizeOf: async (runId, since) => (isRunId(runId) ? retryBriefly(() => readSize(db, runId, since)) : undefined),

    states: async (runId) => {
      const found = isRunId(runId) ? await retryBriefly(() => readStates(db, runId)) : undefined;
      if (found === undefined) return undefined;
      const { row, steps } = found;
      const { definition } = reading.planOf(row.definition);
      return { run: { revision: row.revision, definition }, record: runStatesOf(row, steps) };
    },

    attempts: async (runId, path) => {
      const found = await present(runId);
      if (found === undefined) return [];
      const view = shownView(found.stored);
      const attempts = found.steps.filter((step) => step.path === path);
      return attempts.toSorted((a, b) => a.attempt - b.attempt).map((step) => presentStep(step, view, codec));
    },

    listRuns: (query) => retryBriefly(() => listRuns(db, query, codec)),

    readings: () => retryBriefly(() => readReadings(db, engine)),
  };
}
