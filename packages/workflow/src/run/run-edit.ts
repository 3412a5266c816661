import type { RunProblem } from "@crosszone/contracts";
import type { ConditionAnswer, EvaluateCondition } from "../expressions/answer-conditions.ts";
import {
  bytesOf,
  hasEnded,
  type RunPlan,
  type RunRecord,
  type RunView,
  type StepRecord,
  taskIdOf,
} from "../steps/run-record.ts";
import type { Lane } from "../steps/step-kind.ts";
import { splitOf } from "./lanes.ts";
import { type CancelCommand, type DispatchCommand, pausesDeadline } from "./run-events.ts";

/**
 * The conditions of an event. The reducer can't wait for them: a step whose condition has no answer does not start, and asks for one. The
 * event is applied again, to the same run, with the answers.
 */
export interface Conditions {
  readonly answers: ReadonlyMap<string, ConditionAnswer>;
  readonly asks: Map<string, EvaluateCondition>;
}

/** A run while an event is applied to it. Private to one reducer call. Records are replaced, never changed. */
export interface RunEdit extends RunView {
  readonly plan: RunPlan;
  readonly before: RunRecord;
  /** Now, Unix milliseconds. */
  readonly at: number;
  readonly steps: Map<string, StepRecord>;
  hasChanged: boolean;
  readonly tasks: Map<string, string>;
  readonly dispatches: Map<string, DispatchCommand>;
  readonly cancels: CancelCommand[];
  /** As in the run's record. */
  startedAt: number | undefined;
  deadlineAt: number | undefined;
  bytes: number;
  /** Items of all started loops; computed on demand. */
  items?: number;
  readonly conditions: Conditions;
  /** Time spent starting steps so far, milliseconds. */
  startingMs: number;
  /** The items of started loops by path; computed on demand. */
  readonly collections: Map<string, readonly unknown[]>;
}

/**
 * Starts applying an event to a run. If an executor's clock is behind, the event gets the time of the previous one. If a step paused the
 * run's deadline since the previous event, that time moves it: only events change which steps wait.
 */
export function editOf(
  plan: RunPlan,
  before: RunRecord,
  { at: eventAt, conditions }: { readonly at: number; readonly conditions: Conditions },
): RunEdit {
  const at = Math.max(before.updated_at, eventAt);
  const waitedMs = pausesDeadline(plan.definition, before.steps) ? at - before.updated_at : 0;
  return {
    plan,
    conditions,
    before,
    definition: plan.definition,
    limits: before.limits,
    at,
    steps: new Map(before.steps),
    hasChanged: false,
    tasks: new Map(Object.entries(before.tasks)),
    dispatches: new Map(),
    cancels: [],
    startedAt: before.started_at,
    deadlineAt: before.deadline_at === undefined ? undefined : before.deadline_at + waitedMs,
    bytes: before.bytes,
    startingMs: 0,
    collections: new Map(),
  };
}

export function put(edit: RunEdit, path: string, record: StepRecord): StepRecord {
  edit.steps.set(path, record);
  edit.hasChanged = true;
  return record;
}

/** Ends a step and drops what is only needed while it runs. */
export function endStep(
  edit: RunEdit,
  path: string,
  end: Partial<StepRecord> & { readonly state: StepRecord["state"] },
): StepRecord {
  const { due_at: _due, is_moment: _moment, ...record } = edit.steps.get(path) ?? { attempt: 1 };
  return put(edit, path, { ...record, ...end, ended_at: edit.at });
}

export function failStep(edit: RunEdit, path: string, error: RunProblem): StepRecord {
  return endStep(edit, path, { state: "failed", error: { ...error, path } });
}

/**
 * Adds the size of a step's input, output or error to the run's total. Returns a problem, and adds nothing, if the total would exceed the
 * limit.
 */
export function addBytes(edit: RunEdit, what: string, value: unknown): RunProblem | undefined {
  const bytes = bytesOf(value);
  const { max_bytes: most } = edit.limits;
  if (edit.bytes + bytes > most) {
    const message = `${what} has ${bytes} bytes, and the run already had ${edit.bytes}. Its inputs and outputs would exceed the limit of ${most} bytes.`;
    return { kind: "run_too_large", message };
  }
  edit.bytes += bytes;
  return undefined;
}

/** Cancels a task at its agent. A task that is not dispatched yet never will be. */
export function stopTask(edit: RunEdit, path: string, { attempt }: StepRecord): void {
  const taskId = taskIdOf(edit.before.run_id, path, attempt);
  const given = edit.dispatches.get(taskId);
  if (given) edit.bytes -= bytesOf(given.input);
  if (!edit.tasks.delete(taskId) || edit.dispatches.delete(taskId)) return;
  edit.cancels.push({ type: "cancel", task_id: taskId, path });
}

/** Cancels the running steps of a lane. */
export function cancelLane(edit: RunEdit, lane: Lane): void {
  for (const path of lane.paths) {
    const record = edit.steps.get(path);
    if (!record || hasEnded(record)) continue;
    stopTask(edit, path, record);
    endStep(edit, path, { state: "canceled" });
    for (const inner of splitOf(edit, path, record).lanes) cancelLane(edit, inner);
  }
}
