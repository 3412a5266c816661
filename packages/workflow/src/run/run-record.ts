import type { RunProblem, RunState, StepState } from "@crosszone/contracts";
import { bytesOf } from "./bytes-of.ts";

/** What a run is held to. It is kept with the run, so that every executor holds it to the same. */
export interface RunLimits {
  /** From its start, or from its last retry, to its deadline, milliseconds. Without it a lost result would keep a run open for ever. */
  readonly deadline_ms: number;
  /** For an agent's step that has no `timeout_ms`, milliseconds. */
  readonly step_timeout_ms: number;
  /** How many tasks of the run may be with agents at once. */
  readonly max_running: number;
  /** How much its input and all inputs, outputs and agents' errors of its steps may be together, bytes of their JSON. */
  readonly max_bytes: number;
}

/**
 * One instance of a step. What it was given is not kept: it follows from the outputs before it. What a step made of others puts out is not
 * kept either: `outputOf` puts it together.
 */
export interface StepRecord {
  /** Never `skipped`: what the run passed by has no record. `pending` is a step that is about to be tried again. */
  readonly state: Exclude<StepState, "skipped">;
  /** 1 at first, one more whenever a retry of the run begins with it again. */
  readonly attempt: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  /** When something about it is due, while it runs: its own timeout, or that of the next branch of a fork. */
  readonly due_at?: number;
  /** An agent's answer, any JSON. */
  readonly output?: unknown;
  readonly error?: RunProblem;
  /** How often the bridge called the agent. */
  readonly calls?: number;
  /** What a condition came to. */
  readonly is_true?: boolean;
  /** How many items a loop has. */
  readonly count?: number;
  /** The branches of a fork that were given up, by name. */
  readonly timed_out?: readonly string[];
}

/**
 * All that changes of a run; but for the map of steps it is plain JSON. Moments are Unix milliseconds. With the run's plan it says what is
 * next; where a run stands is not stored, it follows from what its steps came to.
 */
export interface RunRecord {
  readonly run_id: string;
  readonly state: RunState;
  readonly limits: RunLimits;
  /** Of the latest event that changed it; time never goes back, whatever the clocks of executors say. */
  readonly updated_at: number;
  readonly started_at?: number;
  readonly ended_at?: number;
  readonly deadline_at?: number;
  /** When it wants to be told the time (`time_passed`) at the latest; null when it waits for none. */
  readonly due_at: number | null;
  /** By their path, in no particular order. What an event does not change is the very same object after it. */
  readonly steps: ReadonlyMap<string, StepRecord>;
  /** The tasks that agents have, by their id: the paths of their steps. */
  readonly tasks: Readonly<Record<string, string>>;
  /** What its input, and what its steps were given and put out or failed with in all attempts, come to so far: bytes of their JSON. */
  readonly bytes: number;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

/** A run that is stored and not started. */
export function newRun(
  options: Pick<RunRecord, "run_id" | "limits"> & { readonly at: number; readonly input: unknown },
): RunRecord {
  const { at, input, limits, run_id } = options;
  return {
    run_id,
    state: "pending",
    limits,
    updated_at: at,
    due_at: null,
    steps: new Map(),
    tasks: {},
    bytes: bytesOf(input),
  };
}

/** The steps that `after` has otherwise than `before`, by path, in no particular order: what is to be stored and told. */
export function changedSteps(
  before: RunRecord,
  after: RunRecord,
): readonly (readonly [path: string, step: StepRecord])[] {
  return [...after.steps].filter(([path, step]) => before.steps.get(path) !== step);
}

/** True after the end; only a retry opens a failed or timed out run again. */
export function isEnded(run: Pick<RunRecord, "state">): boolean {
  return run.state !== "pending" && run.state !== "running";
}
