import type { AgentResult, RunProblem, RunState } from "@crosszone/contracts";
import type { RunRecord } from "./run-record.ts";

/**
 * What happens to a run; `at` in Unix milliseconds. Deadlines of steps, branches and of the run have one event: `time_passed`; which of them
 * are over follows from the time. Every other event that changes the run looks after them too.
 */
export type RunEvent =
  | { readonly type: "run_started"; readonly at: number }
  | { readonly type: "result_received"; readonly at: number; readonly result: AgentResult }
  | { readonly type: "time_passed"; readonly at: number }
  | { readonly type: "cancel_requested"; readonly at: number }
  | { readonly type: "retry_requested"; readonly at: number }
  /** `processes` processes ended while they worked on the run. The agent's result that they processed is kept. */
  | { readonly type: "given_up"; readonly at: number; readonly processes: number; readonly result?: AgentResult };

/** Gives an agent a task. */
export interface DispatchCommand {
  readonly type: "dispatch";
  readonly task_id: string;
  readonly path: string;
  readonly step_id: string;
  readonly attempt: number;
  readonly agent_name: string;
  /** Any JSON. It is kept nowhere else. */
  readonly input: unknown;
  /** When nobody wants the result any more, Unix milliseconds: the earliest of the deadlines of step, branch and run. */
  readonly deadline: number;
}

/** Stops a task that an agent has. */
export interface CancelCommand {
  readonly type: "cancel";
  readonly task_id: string;
  readonly path: string;
}

/** The run is over; `output` when it succeeded, `error` otherwise. */
export interface EndCommand {
  readonly type: "end";
  readonly state: Exclude<RunState, "pending" | "running">;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

/** When the run wants to be told the time is no command: it is `due_at` of the record. */
export type RunCommand = DispatchCommand | CancelCommand | EndCommand;

export interface Reduction {
  /** The very same object when the event changed nothing: there is nothing to store then. */
  readonly run: RunRecord;
  /** Tasks to stop, then tasks to give out, then the end. */
  readonly commands: readonly RunCommand[];
  /** What was thrown where nothing should be: for the log. The run has failed of it. */
  readonly fault?: unknown;
}
