import type { AgentTask } from "@crosszone/contracts";
import type { ExecutionColumn, JobEnd, NewAgentCall } from "@crosszone/jobs";
import { isoTime } from "@crosszone/service-kit/text";
import type { ConditionAnswer, ConditionRequest } from "../expressions/condition-values.ts";
import type { ConditionAsks } from "../expressions/evaluate-on-thread.ts";
import { reduce } from "../run/reduce.ts";
import type { DispatchCommand, RunCommand, RunEvent } from "../run/run-events.ts";
import { changedSteps, type RunRecord, type StepRecord } from "../state/run-record.ts";
import type { StepChange } from "../store/step-row.ts";
import type { StoredRun } from "../store/stored-run.ts";

/** A call whose result is an event of its run. It ends with the event's change. */
export interface EndedCall {
  readonly id: string;
  /** The lease of this process. Absent for a result from outside: the call ends whatever its state. */
  readonly attempt?: number;
  readonly end: JobEnd<ExecutionColumn>;
}

/** The result of applying events to a run. */
export interface RunTurn {
  readonly before: StoredRun;
  readonly after: RunRecord;
  /** Each changed step attempt once, in its latest state. */
  readonly steps: readonly StepChange[];
  /** The calls that end because their results were applied. */
  readonly ended: readonly EndedCall[];
  readonly calls: readonly NewAgentCall[];
  /** Tasks that are no longer needed. */
  readonly canceled: readonly CanceledTask[];
  /** For each event in order, whether it changed the run. For a repeated request, true if its first occurrence did. */
  readonly hasChanged: readonly boolean[];
  /** The last request that changed the run. */
  readonly lastRequest: string | null;
  readonly fault?: unknown;
  /** The conditions that the events need. Set if nothing was applied because their answers are not known. */
  readonly asks?: ConditionAsks;
}

export type CanceledTask = Pick<AgentTask, "run_id" | "task_id" | "correlation_id">;

/**
 * `request` identifies a person's request, so that a repetition after a lost response has no further effect. `call` is the call
 * whose result the event has.
 */
export type TurnEvent = RunEvent & { readonly request?: string; readonly call?: EndedCall };

/** Applies events to a run in order, or none of them if a condition has no answer. */
export function turnOf(
  before: StoredRun,
  events: readonly TurnEvent[],
  answers: ReadonlyMap<string, ConditionAnswer>,
): RunTurn {
  const asks = new Map<string, ConditionRequest>();
  const steps = new Map<string, StepChange>();
  const calls = new Map<string, NewAgentCall>();
  const canceled: CanceledTask[] = [];
  const ended: EndedCall[] = [];
  const hasChanged: boolean[] = [];
  let after = before.record;
  let { lastRequest } = before;
  let fault: unknown;
  for (const event of events) {
    const { request } = event;
    if (request !== undefined && request === lastRequest) {
      hasChanged.push(true);
      continue;
    }
    const reduction = reduce(before.plan, after, { event, conditions: { answers, asks } });
    if (asks.size > 0 && reduction.fault === undefined) return askingTurn(before, events, asks);
    const given = inputsOf(reduction.commands);
    for (const [path, step] of changedSteps(after, reduction.run)) {
      const key = JSON.stringify([path, step.attempt]);
      const input = given.get(path) ?? steps.get(key)?.given;
      steps.set(key, { path, step, given: input });
    }
    for (const command of reduction.commands) {
      if (command.type === "dispatch") calls.set(command.task_id, callOf(command, before, event.at));
      // A call that an earlier event of this turn created is never stored.
      if (command.type === "cancel" && !calls.delete(command.task_id)) canceled.push(taskOf(command, before));
    }
    hasChanged.push(reduction.run !== after);
    if (reduction.run !== after && event.call) ended.push(event.call);
    if (reduction.run !== after && request !== undefined) lastRequest = request;
    after = reduction.run;
    fault ??= reduction.fault;
  }
  const broken = fault === undefined ? {} : { fault };
  const made = { calls: [...calls.values()], canceled, ended };
  return { before, after, steps: [...steps.values()], ...made, hasChanged, lastRequest, ...broken };
}

function askingTurn(before: StoredRun, events: readonly TurnEvent[], asks: ConditionAsks): RunTurn {
  const { record: after, lastRequest } = before;
  const none = { steps: [], ended: [], calls: [], canceled: [], hasChanged: events.map(() => false) };
  return { before, after, ...none, lastRequest, asks };
}

function inputsOf(commands: readonly RunCommand[]): ReadonlyMap<string, NonNullable<StepChange["given"]>> {
  return new Map(
    commands.flatMap((command) =>
      command.type === "dispatch" ? [[command.path, { task_id: command.task_id, input: command.input }] as const] : [],
    ),
  );
}

const taskOf = (
  { task_id }: Pick<DispatchCommand, "task_id">,
  { record: { run_id }, origin: { correlation_id } }: StoredRun,
): CanceledTask => ({ run_id, task_id, correlation_id });

/** Returns the call of a step; `at` in Unix milliseconds. */
function callOf(command: DispatchCommand, run: StoredRun, at: number): NewAgentCall {
  const { agent_name, input, deadline } = command;
  const times = { timestamp: isoTime(at), deadline: isoTime(deadline) };
  return {
    task: { ...taskOf(command, run), agent_name, input_data: input, ...times },
    headers: run.origin.headers,
    deadlineMs: deadline - at,
    parent: run.record.run_id,
  };
}

/** Returns how long an ended step took, milliseconds. */
export function durationOf({ started_at, ended_at }: Pick<StepRecord, "started_at" | "ended_at">): number | undefined {
  return started_at === undefined || ended_at === undefined ? undefined : ended_at - started_at;
}
