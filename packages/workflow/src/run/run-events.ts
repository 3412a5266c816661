import { callId, type ExecutionColumn } from "@crosszone/agent-calls";
import type { AgentResult, RunProblem, RunState, WorkflowDefinition } from "@crosszone/contracts";
import type { JobEnd } from "@crosszone/jobs";
import { type RunRecord, stepIdOf } from "../steps/run-record.ts";

/** A call whose result is an event of its run. It ends with the event's change. */
export interface EndedCall {
  readonly id: string;
  /** The lease of this process. Absent for a result from outside: the call ends whatever its state. */
  readonly attempt?: number;
  readonly end: JobEnd<ExecutionColumn>;
}

/**
 * An event of a run. `time_passed` covers the deadlines of steps, branches and the run: the reducer compares them with the time. Every
 * other event that changes the run checks them too.
 */
export type RunEvent =
  | { readonly type: "run_started" | "time_passed" }
  /** `request` identifies a person's request, so that a repetition after a lost response has no further effect. */
  | { readonly type: "cancel_requested" | "retry_requested"; readonly request?: string }
  | { readonly type: "result_received"; readonly result: AgentResult; readonly call?: EndedCall }
  /** `processes` processes crashed while they processed the run. The agent's result in process is kept. */
  | {
      readonly type: "given_up";
      readonly processes: number;
      readonly result?: AgentResult;
      readonly call?: EndedCall;
    };

/** `at`: when the event happened, Unix milliseconds. */
export type TimedEvent = RunEvent & { readonly at: number };

/** Sends a task to an agent, or asks people. */
export interface DispatchCommand {
  readonly type: "dispatch";
  readonly task_id: string;
  readonly path: string;
  readonly step_id: string;
  readonly attempt: number;
  /** Absent when `input` is what is asked of people. */
  readonly agent_name?: string;
  /** Any JSON. Not stored elsewhere. */
  readonly input: unknown;
  /** When an agent's result is no longer needed, Unix milliseconds: the earliest deadline of step, branch and run. */
  readonly deadline: number;
}

export interface CancelCommand {
  readonly type: "cancel";
  readonly task_id: string;
  readonly path: string;
}

/** The end of a run: with `output` if it succeeded, otherwise with `error`. */
export interface RunEnd {
  readonly state: Exclude<RunState, "pending" | "running">;
  readonly output?: unknown;
  readonly error?: RunProblem;
}

export interface EndCommand extends RunEnd {
  readonly type: "end";
}

/** A timer is not a command: it is `due_at` of the record. */
type RunCommand = DispatchCommand | CancelCommand | EndCommand;

export interface Reduction {
  /** The same object if the event changed nothing; then nothing has to be stored. */
  readonly run: RunRecord;
  /** Tasks to cancel, then tasks to dispatch, then the end. */
  readonly commands: readonly RunCommand[];
  /** An unexpected exception, for the log. It failed the run. */
  readonly fault?: unknown;
}

/** Returns true for the path of a step that waits for people. The run's deadline does not pass meanwhile. */
export const asksPeople = ({ steps }: WorkflowDefinition, path: string): boolean =>
  steps[stepIdOf(path)]?.type === "human";

/** Returns whether any step waits for people. */
export const asksAnyone = ({ steps }: WorkflowDefinition): boolean =>
  Object.values(steps).some((step) => step?.type === "human");

/** Returns the tasks of steps that wait for people. `tasks`: task ids with the paths of their steps. */
export function humanTasks(
  definition: WorkflowDefinition,
  tasks: Iterable<readonly [taskId: string, path: string]>,
): readonly string[] {
  return [...tasks].flatMap(([taskId, path]) => (asksPeople(definition, path) ? [taskId] : []));
}

/** Returns the ids of the input requests that a run waits for. Each is the id of its job, too. */
export function awaitedInputs(definition: WorkflowDefinition, { run_id, tasks }: RunRecord): readonly string[] {
  return humanTasks(definition, Object.entries(tasks)).map((task_id) => callId({ run_id, task_id }));
}
