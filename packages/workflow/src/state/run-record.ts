import type { RunProblem, RunState, StepState } from "@crosszone/contracts";

/** Returns the size of a JSON value when stored or sent, bytes. */
export function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/** The limits of a run. Stored with the run, so that every executor applies the same ones. */
export interface RunLimits {
  /** Time from the start, or the last retry, to the deadline, milliseconds. Without it a lost result would keep a run open forever. */
  readonly deadline_ms: number;
  /** Default timeout of agent steps, milliseconds. */
  readonly step_timeout_ms: number;
  /** Maximum number of concurrent tasks of the run. */
  readonly max_running: number;
  /** Maximum total size of the run's input and of all inputs, outputs and errors of its steps, bytes of JSON. */
  readonly max_bytes: number;
}

/**
 * One instance of a step. Its input is not stored, because it follows from earlier outputs. The output of a composite step is not stored
 * either: `outputOf` computes it.
 */
export interface StepRecord {
  /** Never `skipped`: a skipped step has no record. `pending` is a step that a retry will restart. */
  readonly state: Exclude<StepState, "skipped">;
  /** Starts at 1 and increases when a retry of the run restarts the step. */
  readonly attempt: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  /** Next timer of a running step: its own timeout, or that of the next branch of a fork. */
  readonly due_at?: number;
  /** An agent's answer, any JSON. */
  readonly output?: unknown;
  readonly error?: RunProblem;
  /** Number of calls to the agent. */
  readonly calls?: number;
  /** The result of a condition. */
  readonly is_true?: boolean;
  /** Number of items of a loop. */
  readonly count?: number;
  /** Names of the branches of a fork that timed out. */
  readonly timed_out?: readonly string[];
}

/**
 * The mutable part of a run; plain JSON except for the map of steps. Times are Unix milliseconds. The current position is not stored: it
 * follows from the plan and the steps' results.
 */
export interface RunRecord {
  readonly run_id: string;
  readonly state: RunState;
  readonly limits: RunLimits;
  /** Time of the latest event that changed it. Never goes back, whatever the clocks of executors say. */
  readonly updated_at: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  readonly deadline_at?: number;
  /** When the run needs a `time_passed` event at the latest, or earlier; null if it has no timer. */
  readonly due_at: number | null;
  /** By path, unordered. A step that an event does not change stays the same object. */
  readonly steps: ReadonlyMap<string, StepRecord>;
  /** Tasks that agents are working on: task id to the path of its step. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Total size of the run's input and of all inputs, outputs and errors of its steps in all attempts, bytes of JSON. */
  readonly bytes: number;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

/** Returns a run that has not started. */
export function newRun(
  run: Pick<RunRecord, "run_id" | "limits"> & { readonly at: number; readonly input: unknown },
): RunRecord {
  const { run_id, limits, at, input } = run;
  const nothing = { due_at: null, steps: new Map(), tasks: {} };
  return { run_id, state: "pending", limits, updated_at: at, ...nothing, bytes: bytesOf(input) };
}

/** Returns the steps of `after` that differ from `before`, by path, unordered. */
export function changedSteps(
  before: RunRecord,
  after: RunRecord,
): readonly (readonly [path: string, step: StepRecord])[] {
  return [...after.steps].filter(([path, step]) => before.steps.get(path) !== step);
}

/** Returns true if a step has ended. Only a retry of the run restarts it. */
export function hasEnded({ state }: { readonly state: StepState }): boolean {
  return state !== "pending" && state !== "running";
}

/** Returns true for a final state. A retry can reopen a failed or timed-out run. */
export function isEnded({ state }: { readonly state: RunState }): boolean {
  return state !== "pending" && state !== "running";
}

/** Returns false if a run fails the same way after a retry: the outputs of its succeeded steps, and its definition, never change. */
export function canRetryHelp(error: RunProblem | undefined): boolean {
  return !["mapping_failed", "condition_failed", "collection_invalid"].includes(error?.kind ?? "");
}
