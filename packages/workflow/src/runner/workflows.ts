import type { Author } from "@crosszone/audit";
import type { ParamProblem, WorkflowRunSummary } from "@crosszone/contracts";
import type { Purge } from "@crosszone/service-kit";
import type { RunReader } from "../store/run-reader.ts";
import type { AddedVersion, VersionReader } from "../store/version-store.ts";
import type { RequestBy } from "../threads/request-thread.ts";
import type { CallResults } from "./receive-results.ts";
import type { StartRun } from "./start-run.ts";
import type { WaitForRun, WatchRun } from "./watch-runs.ts";

/** The outcome of storing a definition. */
export type CreatedVersion = AddedVersion | { readonly outcome: "invalid"; readonly problems: readonly ParamProblem[] };

/** The outcome of a request to change a run. `too_late`: the state of the run does not allow it. */
export type RunChange =
  { readonly outcome: "changed" | "too_late"; readonly run: WorkflowRunSummary } | { readonly outcome: "unknown_run" };

/** What is right and wrong with a definition. */
export interface Findings {
  readonly problems: readonly ParamProblem[];
  readonly warnings?: readonly ParamProblem[];
}

/** The definitions of workflows, in versions that never change. */
export interface Definitions extends VersionReader {
  /** Returns all problems and warnings of a definition, including unknown agents. Stores nothing. */
  readonly validate: (source: unknown, asked?: RequestBy) => Promise<Findings>;
  /** Stores a version, for its author if a person or program asks. A repetition with the same content has no effect; different content is a conflict. */
  readonly createVersion: (source: unknown, signal?: AbortSignal, by?: Author) => Promise<CreatedVersion>;
}

/**
 * Workflows and their runs. Every process can start, cancel and show runs; started ones (`start`) also advance them, together. All methods
 * reject with the database's error while it is unreachable.
 */
export interface Workflows extends Definitions, RunReader, CallResults {
  /** Resolves when the run and the calls of its first steps are stored. */
  readonly startRun: StartRun;
  /** Cancels a run and its tasks at agents. */
  readonly cancel: (runId: string, by?: Author) => Promise<RunChange>;
  /** Retries a failed or timed-out run from the failed step. Succeeded steps do not run again. */
  readonly retry: (runId: string, by?: Author) => Promise<RunChange>;
  readonly watch: WatchRun;
  readonly waitForRun: WaitForRun;
  /** Deletes runs that ended before the retention time. */
  readonly purge: Purge;
  /** Starts to process results and deadlines. */
  readonly start: () => void;
  /** Stops processing. Waits up to `graceMs` milliseconds for running work. */
  readonly stop: (graceMs: number) => Promise<void>;
}
