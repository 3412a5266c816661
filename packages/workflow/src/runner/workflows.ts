import type {
  AgentResult,
  ParamProblem,
  RunList,
  WorkflowList,
  WorkflowRecord,
  WorkflowReport,
  WorkflowRunSummary,
  WorkflowStepRecord,
} from "@crosszone/contracts";
import type { CallEnding } from "@crosszone/jobs";
import type { Purge } from "@crosszone/service-kit";
import type { RunQuery, RunReadings } from "../store/list-runs.ts";
import type { ReadRun, RunStates } from "../store/run-reader.ts";
import type { Page } from "../store/version-row.ts";
import type { AddedVersion } from "../store/version-store.ts";
import type { StartRun } from "./start-run.ts";
import type { WaitForRun, WatchRun } from "./watch-runs.ts";

/** The outcome of storing a definition. */
export type CreatedVersion = AddedVersion | { readonly outcome: "invalid"; readonly problems: readonly ParamProblem[] };

/** The outcome of a request to change a run. `too_late`: the state of the run does not allow it. */
export type RunChange =
  { readonly outcome: "changed" | "too_late"; readonly run: WorkflowRunSummary } | { readonly outcome: "unknown_run" };

/**
 * Workflows and their runs. Every process can start, cancel and show runs; started ones (`start`) also advance them, together. All methods
 * reject with the database's error while it is unreachable.
 */
export interface Workflows {
  /** Returns all problems and warnings of a definition, including unknown agents. Stores nothing. */
  readonly validate: (source: unknown, signal?: AbortSignal) => Promise<Pick<WorkflowReport, "problems" | "warnings">>;
  /** Stores a version. A repetition with the same content has no effect; different content is a conflict. */
  readonly createVersion: (source: unknown, signal?: AbortSignal) => Promise<CreatedVersion>;
  /** Returns the latest version when `version` is omitted. */
  readonly get: (workflowId: string, version?: string) => Promise<WorkflowRecord | undefined>;
  readonly list: (page: Page) => Promise<WorkflowList>;
  /** Returns all versions of one workflow, newest first; an empty list if it does not exist. */
  readonly listVersions: (workflowId: string, page: Page) => Promise<WorkflowList>;
  /** Resolves when the run and the calls of its first steps are stored. */
  readonly startRun: StartRun;
  readonly getRun: (runId: string) => Promise<ReadRun | undefined>;
  /** Returns the states of a run's steps, for `progressOf`. Cheap, whatever the size of its inputs and outputs. */
  readonly states: (runId: string) => Promise<RunStates | undefined>;
  readonly listRuns: (query: RunQuery) => Promise<RunList>;
  /** Returns all attempts of one step instance, oldest first. */
  readonly attempts: (runId: string, path: string) => Promise<readonly WorkflowStepRecord[]>;
  /** Cancels a run and its tasks at agents. */
  readonly cancel: (runId: string) => Promise<RunChange>;
  /** Retries a failed or timed-out run from the failed step. Succeeded steps do not run again. */
  readonly retry: (runId: string) => Promise<RunChange>;
  readonly watch: WatchRun;
  readonly waitForRun: WaitForRun;
  readonly readings: () => Promise<RunReadings>;
  /** Deletes runs that ended before the retention time. */
  readonly purge: Purge;
  /**
   * Applies the result of a step's call that this process leases, and ends the call, in one change. Only in processes that
   * advance runs. Resolves with false when the call was lost: then nothing is stored. While the database is unreachable, it
   * retries for a second, then rejects with its error.
   */
  readonly endCall: (end: CallEnding) => Promise<boolean>;
  /** Like `endCall`, for processes that do not advance runs: stores the result for one that does. */
  readonly handOver: (end: CallEnding) => Promise<boolean>;
  /**
   * Applies a result that came from outside this database, and ends the call whatever its state. `attempt`: how often
   * it was delivered, from 1. Results of other senders, late ones and repeated ones change nothing.
   */
  readonly takeResult: (result: AgentResult, attempt: number) => Promise<void>;
  /** Another process may have stored results. */
  readonly wake: () => void;
  /** This process was declared dead: its leases of results have expired. */
  readonly lose: () => void;
  /** Starts to process results and deadlines. */
  readonly start: () => void;
  /** Stops processing. Waits up to `graceMs` milliseconds for running work. */
  readonly stop: (graceMs: number) => Promise<void>;
}
