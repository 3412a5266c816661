import type { AgentResult, RunProblem, RunState } from "@crosszone/contracts";
import type { RunRecord } from "../state/run-record.ts";

/**
 * An event of a run; `at` in Unix milliseconds. `time_passed` covers the deadlines of steps, branches and the run: the reducer compares
 * them with the time. Every other event that changes the run checks them too.
 */
export type RunEvent =
  | { readonly type: "run_started"; readonly at: number }
  | { readonly type: "result_received"; readonly at: number; readonly result: AgentResult }
  | { readonly type: "time_passed"; readonly at: number }
  | { readonly type: "cancel_requested"; readonly at: number }
  | { readonly type: "retry_requested"; readonly at: number }
  /** `processes` processes crashed while they processed the run. The agent's result in process is kept. */
  | { readonly type: "given_up"; readonly at: number; readonly processes: number; readonly result?: AgentResult };

/** Sends a task to an agent. */
export interface DispatchCommand {
  readonly type: "dispatch";
  readonly task_id: string;
  readonly path: string;
  readonly step_id: string;
  readonly attempt: number;
  readonly agent_name: string;
  /** Any JSON. Not stored elsewhere. */
  readonly input: unknown;
  /** When the result is no longer needed, Unix milliseconds: the earliest deadline of step, branch and run. */
  readonly deadline: number;
}

/** Cancels a task at an agent. */
export interface CancelCommand {
  readonly type: "cancel";
  readonly task_id: string;
  readonly path: string;
}

/** The run has ended: with `output` if it succeeded, otherwise with `error`. */
export interface EndCommand {
  readonly type: "end";
  readonly state: Exclude<RunState, "pending" | "running">;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

/** A timer is not a command: it is `due_at` of the record. */
export type RunCommand = DispatchCommand | CancelCommand | EndCommand;

export interface Reduction {
  /** The same object if the event changed nothing; then nothing has to be stored. */
  readonly run: RunRecord;
  /** Tasks to cancel, then tasks to dispatch, then the end. */
  readonly commands: readonly RunCommand[];
  /** An unexpected exception, for the log. It failed the run. */
  readonly fault?: unknown;
}
