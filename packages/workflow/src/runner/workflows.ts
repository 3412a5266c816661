import type {
  ParamProblem,
  RunList,
  WorkflowList,
  WorkflowRecord,
  WorkflowRunSummary,
  WorkflowStepRecord,
} from "@crosszone/contracts";
import type { Purge } from "@crosszone/service-kit";
import type { ReadRun, RunQuery, RunReadings, RunStates } from "../store/run-reader.ts";
import type { AddedVersion, Page } from "../store/version-store.ts";
import type { StartRun } from "./start-runs.ts";
import type { WaitForRun, WatchRun } from "./watch-runs.ts";

/** What became of a definition that was to be stored. */
export type CreatedVersion = AddedVersion | { readonly outcome: "invalid"; readonly problems: readonly ParamProblem[] };

/** What a request did to a run. `too_late`: the run is in a state in which it can do nothing. */
export type RunChange =
  { readonly outcome: "changed" | "too_late"; readonly run: WorkflowRunSummary } | { readonly outcome: "unknown_run" };

/**
 * Workflows and their runs. Every process can start, stop and show runs; those that were started (`start`) bring them forward, together.
 * Everything rejects with the database's error when that is away.
 */
export interface Workflows {
  /** All that is wrong with a definition, agents that are not there included; nothing is stored. */
  readonly validate: (source: unknown) => Promise<readonly ParamProblem[]>;
  /** A version is never changed: with the same content nothing happens, with other content it is a conflict. */
  readonly createVersion: (source: unknown) => Promise<CreatedVersion>;
  /** The latest version when none is named. */
  readonly get: (workflowId: string, version?: string) => Promise<WorkflowRecord | undefined>;
  readonly list: (page: Page) => Promise<WorkflowList>;
  /** All versions of one workflow, the latest first; none when there is no such workflow. */
  readonly listVersions: (workflowId: string, page: Page) => Promise<WorkflowList>;
  /** The run is stored, and its first tasks are with the bus, when this resolves. */
  readonly startRun: StartRun;
  readonly getRun: (runId: string) => Promise<ReadRun | undefined>;
  /** How a run stands, for `progressOf`: cheap, however much was said in it. */
  readonly states: (runId: string) => Promise<RunStates | undefined>;
  readonly listRuns: (query: RunQuery) => Promise<RunList>;
  /** All attempts at one instance of a step, the first one first. */
  readonly attempts: (runId: string, path: string) => Promise<readonly WorkflowStepRecord[]>;
  /** Ends a run, and takes its tasks back from their agents. */
  readonly cancel: (runId: string) => Promise<RunChange>;
  /** Goes on with a failed run, or one that was out of time, from where it failed. What is done is not done again. */
  readonly retry: (runId: string) => Promise<RunChange>;
  readonly watch: WatchRun;
  readonly waitForRun: WaitForRun;
  readonly readings: () => Promise<RunReadings>;
  /** Forgets runs that ended long ago. */
  readonly purge: Purge;
  /** Begins to take results and to look after deadlines; rejects when the bus cannot be subscribed to. */
  readonly start: () => Promise<void>;
  /** Takes no more of them and lets what is under way end for so long; milliseconds. */
  readonly stop: (graceMs: number) => Promise<void>;
}
