import type { RunProblem } from "@crosszone/contracts";
import type { ConditionAnswer, EvaluateCondition } from "../expressions/answer-conditions.ts";
import {
  bytesOf,
  hasEnded,
  nothingTaken,
  type RunPlan,
  type RunRecord,
  type RunView,
  stepIdOf,
  type StepRecord,
  taskIdOf,
  type TreeCount,
  treeLimits,
  type TreeRoom,
} from "../steps/run-record.ts";
import type { Lane } from "../steps/step-kind.ts";
import { leafKindOf } from "../steps/step-kinds.ts";
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
  /** What its tree had room for before this event; of a run that starts no others, computed on demand. */
  room: TreeRoom | undefined;
  /** What the event has taken of it, and given back. */
  readonly taken: Counting;
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
  {
    at: eventAt,
    conditions,
    room,
  }: { readonly at: number; readonly conditions: Conditions; readonly room?: TreeRoom | undefined },
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
    room,
    taken: { ...nothingTaken },
    startingMs: 0,
    collections: new Map(),
  };
}

type Counting = { -readonly [Name in keyof TreeCount]: number };

/** A tree of runs has no room for the step at this path. Without a problem, a run around this one has ended. */
export class TreeFault extends Error {
  override readonly name = "TreeFault";
  readonly path: string;
  readonly problem: RunProblem | undefined;

  constructor(path: string, problem?: RunProblem) {
    super(problem?.message);
    this.path = path;
    this.problem = problem;
  }
}

const takenBy = ({ definition }: Pick<RunView, "definition">, path: string) =>
  leafKindOf(definition, stepIdOf(path))?.takes;

/** Returns the room of a run that starts no others: its own steps, in all attempts, are all that its tree has. */
function roomAlone({ definition }: RunPlan, { steps, limits }: RunRecord): TreeRoom {
  const unlimited = { runs: Infinity, steps: treeLimits.steps, paid_calls: Infinity, waits: Infinity };
  const left: Counting = { ...(limits.tree ?? unlimited) };
  for (const [path, { attempt, state }] of steps) {
    const starts = state === "pending" ? attempt - 1 : attempt;
    const takes = takenBy({ definition }, path);
    left.steps -= starts;
    if (takes !== undefined) left[takes] -= takes === "waits" ? Number(state === "running") : starts;
  }
  return left;
}

const treeNames = {
  runs: "runs",
  steps: "steps",
  paid_calls: "calls of language models",
  waits: "steps that wait at the same time",
} as const satisfies Record<keyof TreeCount, string>;

/** Counts the start of a step, or with -1 that it was none. Throws a `TreeFault` where its tree has no room for it. */
export function takeTreeRoom(edit: RunEdit, path: string, by: 1 | -1 = 1): void {
  const { plan, before, taken } = edit;
  edit.room ??= roomAlone(plan, before);
  if (edit.room.isOver === true) throw new TreeFault(path);
  for (const name of ["steps", takenBy(edit, path)] as const) {
    if (name === undefined) continue;
    if (taken[name] + by > edit.room[name]) throw treeFull(path, name);
    taken[name] += by;
  }
}

export function treeFull(path: string, name: keyof TreeCount): TreeFault {
  const most = `${String(treeLimits[name])} ${treeNames[name]}`;
  const message = `The step "${stepIdOf(path)}" was not started: a run, with all runs that its steps start, can have ${most}. Split it into several runs.`;
  return new TreeFault(path, { kind: "run_too_large", message, path });
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
  const { due_at: _due, is_moment: _moment, ...record } = edit.steps.get(path) ?? { attempt: 1, state: "pending" };
  if (record.state === "running" && takenBy(edit, path) === "waits") edit.taken.waits -= 1;
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
