import { callId, type ExecutionColumn } from "@crosszone/agent-calls";
import type { AgentResult, RunProblem, RunState, WorkflowDefinition } from "@crosszone/contracts";
import type { JobEnd } from "@crosszone/jobs";
import { type RunRecord, stepIdOf, type TreeCount } from "../steps/run-record.ts";
import { leafKindOf } from "../steps/step-kinds.ts";

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

/** Sends a task to an agent, or stores the job of a step of another type. */
export interface DispatchCommand {
  readonly type: "dispatch";
  readonly task_id: string;
  readonly path: string;
  readonly step_id: string;
  readonly attempt: number;
  /** Absent when `input` is what a job of another kind gets. */
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

interface EndCommand extends RunEnd {
  readonly type: "end";
}

/** A timer is not a command: it is `due_at` of the record. */
type RunCommand = DispatchCommand | CancelCommand | EndCommand;

export interface Reduction {
  /** The same object if the event changed nothing; then nothing has to be stored. */
  readonly run: RunRecord;
  /** Tasks to cancel, then tasks to dispatch, then the end. */
  readonly commands: readonly RunCommand[];
  /** What it took of its tree, and gave back. */
  readonly taken: TreeCount;
  /** An unexpected exception, for the log. It failed the run. */
  readonly fault?: unknown;
}

/** Returns whether a step runs meanwhile the deadline of the run does not pass. */
export const pausesDeadline = (definition: WorkflowDefinition, steps: RunRecord["steps"]): boolean =>
  steps
    .entries()
    .some(
      ([path, { state }]) => state === "running" && leafKindOf(definition, stepIdOf(path))?.pausesDeadline === true,
    );

/**
 * Returns what a run waits for while no step of it works or asks people: the next time, Unix milliseconds (Infinity without one), and the
 * runs of other workflows, by their ids. Undefined if it does not only wait.
 */
export function runSleepOf(
  definition: WorkflowDefinition,
  { run_id, steps, tasks }: RunRecord,
): { readonly until: number; readonly runs: readonly string[] } | undefined {
  const running = [...steps].filter(
    ([path, { state }]) => state === "running" && leafKindOf(definition, stepIdOf(path)) !== undefined,
  );
  let until = Infinity;
  for (const [path, { due_at = Infinity }] of running) {
    const step = definition.steps[stepIdOf(path)];
    if (step?.type === "wait" && step.event === undefined) until = Math.min(until, due_at);
    else if (step?.type !== "wait" && step?.type !== "workflow") return undefined;
  }
  const isOfRun = (path: string): boolean => definition.steps[stepIdOf(path)]?.type === "workflow";
  const runs = Object.entries(tasks).flatMap(([task_id, path]) => (isOfRun(path) ? [callId({ run_id, task_id })] : []));
  return running.length === 0 ? undefined : { until, runs };
}

/** Returns the ids of the input requests that a run waits for. Each is the id of its job, too. */
export function awaitedInputs(definition: WorkflowDefinition, { run_id, tasks }: RunRecord): readonly string[] {
  return Object.entries(tasks).flatMap(([task_id, path]) =>
    definition.steps[stepIdOf(path)]?.type === "human" ? callId({ run_id, task_id }) : [],
  );
}
