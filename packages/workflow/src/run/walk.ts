import type { RunProblem } from "@crosszone/contracts";
import { isTrue } from "../expressions/answer-conditions.ts";
import { PlanFault, type Scope, WorkflowFault } from "../mapping/scope.ts";
import {
  hasEnded,
  itemPrefix,
  loopsAround,
  stepIdOf,
  stepOf,
  type StepRecord,
  taskIdOf,
  treeLimits,
} from "../steps/run-record.ts";
import type { CompositeKind, Lane, LaneEnd, Split, Started, Starting } from "../steps/step-kind.ts";
import { stepKindOf, repeatOf } from "../steps/step-kinds.ts";
import { isPassed, laneEnd, outputOf, splitOf } from "./lanes.ts";
import {
  addBytes,
  cancelLane,
  endStep,
  failStep,
  put,
  type RunEdit,
  stopTask,
  takeTreeRoom,
  treeFull,
} from "./run-edit.ts";

/**
 * Returns what a step at a path can refer to: the input, the outputs of the ended steps of its own lane and of the enclosing ones, and the
 * items of the enclosing loops. The body of a loop sees only the steps of its own item.
 */
export function scopeAt(edit: RunEdit, path: string): Scope {
  const loops = loopsAround(path);
  const outputs = new Map<string, unknown>();
  for (const prefix of ["", ...loops.map((loop) => itemPrefix(loop.path, loop.index))]) {
    for (const id of Object.keys(edit.definition.steps)) {
      const record = edit.steps.get(prefix + id);
      if (record && hasEnded(record) && record.state !== "canceled") outputs.set(id, outputOf(edit, prefix + id));
    }
  }
  const variables = new Map<string, unknown>();
  for (const { index, path: loop } of loops) {
    const item = collectionOf(edit, loop)[index];
    const step = stepOf(edit.definition, stepIdOf(loop));
    const name = repeatOf(step)?.iterator(step);
    variables.set("item", item).set("index", index);
    if (name !== undefined) variables.set(name, item);
  }
  return { input: edit.plan.input, outputs, variables };
}

/** Returns the items of a loop. They are not stored: they follow from earlier outputs, which never change. */
function collectionOf(edit: RunEdit, path: string): readonly unknown[] {
  const known = edit.collections.get(path);
  if (known) return known;
  const step = stepOf(edit.definition, stepIdOf(path));
  const repeat = repeatOf(step);
  if (repeat === undefined) throw new TypeError(`The step "${path}" is not a loop.`);
  const found = edit.plan.expressions.resolve(repeat.collection(step), scopeAt(edit, path));
  if (!Array.isArray(found)) {
    throw new WorkflowFault("collection_invalid", `The items of the loop "${step.id}" are not an array.`);
  }
  edit.collections.set(path, found);
  return found;
}

/** Options of a walk through a part of a run. */
interface WalkOptions {
  /** False where steps can only end: after a deadline, or at the limit of concurrent lanes. */
  readonly mayStart: boolean;
  /** The earliest deadline of the enclosing steps, Unix milliseconds. */
  readonly capAt: number;
  /** Nesting depth. */
  readonly depth: number;
}

/**
 * Timeout for all mappings of one event, milliseconds. Thousands may be due, and they block the process. PostgreSQL ends a transaction that
 * is idle for ten seconds, and the event would be retried forever.
 */
const mostStartingMs = 8_000;

/** The answer of a condition is not known yet. */
class Unanswered extends Error {}

/**
 * Starts a step, or restarts it after a retry. Returns undefined when the run has reached its maximum of concurrent tasks, or when the
 * answer of the step's condition is not known yet.
 */
function startStep(edit: RunEdit, path: string, { capAt }: WalkOptions): StepRecord | undefined {
  const step = stepOf(edit.definition, stepIdOf(path));
  if (stepKindOf(step).form === "leaf" && edit.tasks.size >= edit.limits.max_running) return undefined;
  if (edit.startingMs > mostStartingMs)
    throw new PlanFault(`Mappings took longer than ${String(mostStartingMs)} ms together. Simplify them.`);
  takeTreeRoom(edit, path);
  const before = edit.steps.get(path);
  const { count, is_true, attempt = 1 } = before ?? {};
  const record = put(edit, path, { state: "running", attempt, started_at: edit.at, is_true, count });
  const began = performance.now();
  try {
    const started = stepKindOf(step).start(step, startingOf(edit, path, record));
    return applyStart(edit, path, { started, capAt });
  } catch (error) {
    if (error instanceof Unanswered) {
      takeTreeRoom(edit, path, -1);
      if (before === undefined) edit.steps.delete(path);
      else edit.steps.set(path, before);
      return undefined;
    }
    if (error instanceof WorkflowFault) return failStep(edit, path, { kind: error.kind, message: error.message });
    throw error;
  } finally {
    edit.startingMs += performance.now() - began;
  }
}

function startingOf(edit: RunEdit, path: string, record: StepRecord): Starting {
  const { expressions } = edit.plan;
  return {
    record,
    at: edit.at,
    limits: edit.limits,
    resolve: (mapping) => expressions.resolve(mapping, scopeAt(edit, path)),
    evaluate: (expression) => {
      const key = JSON.stringify([path, record.attempt]);
      const answer = edit.conditions.answers.get(key);
      if (answer !== undefined) return isTrue(answer);
      edit.conditions.asks.set(key, expressions.condition(expression, scopeAt(edit, path)));
      throw new Unanswered();
    },
    items: () => collectionOf(edit, path),
  };
}

function applyStart(
  edit: RunEdit,
  path: string,
  { started, capAt }: { readonly started: Started; readonly capAt: number },
): StepRecord {
  const { call, ...members } = started;
  const record = edit.steps.get(path) as StepRecord;
  if (members.count !== undefined) allowItems(edit, path, members.count);
  if (call) {
    const excess = addBytes(edit, `The input of the step "${stepIdOf(path)}"`, call.input);
    if (excess) return failStep(edit, path, excess);
    const { attempt } = record;
    const taskId = taskIdOf(edit.before.run_id, path, attempt);
    const deadline = Math.min(members.due_at ?? Infinity, capAt);
    edit.tasks.set(taskId, path);
    const command = { type: "dispatch", task_id: taskId, path, step_id: stepIdOf(path), attempt } as const;
    edit.dispatches.set(taskId, { ...command, ...call, deadline });
  }
  return Object.keys(members).length === 0 ? record : put(edit, path, { ...record, ...members });
}

/**
 * Throws when the items of all loops exceed the maximum number of steps, before any of them is processed. Each item has at least one step.
 */
function allowItems(edit: RunEdit, path: string, count: number): void {
  edit.items ??= Array.from(edit.steps.values()).reduce((items, step) => items + (step.count ?? 0), 0);
  edit.items += count;
  if (edit.items > treeLimits.steps) throw treeFull(path, "steps");
}

/** Advances a lane as far as possible: starts the next step, and ends steps that are done or due. */
export function walkLane(edit: RunEdit, lane: Lane, options: WalkOptions): LaneEnd {
  for (const path of lane.paths) {
    const record = walkStep(edit, path, options);
    if (!record || !isPassed(edit, path, record)) break;
  }
  return laneEnd(edit, lane);
}

/** Limit of nesting; plans written by people have two or three levels. */
const mostDepth = 50;

function walkStep(edit: RunEdit, path: string, options: WalkOptions): StepRecord | undefined {
  if (options.depth > mostDepth) throw new PlanFault(`The step "${stepIdOf(path)}" of the plan contains itself.`);
  let record = edit.steps.get(path);
  if (record?.state !== "running") {
    if (!options.mayStart || (record && hasEnded(record))) return record;
    record = startStep(edit, path, options);
    if (record?.state !== "running") return record;
  }
  const step = stepOf(edit.definition, stepIdOf(path));
  const kind = stepKindOf(step);
  if (kind.form === "composite") return walkSplit(edit, path, options);
  if (record.due_at === undefined || record.due_at > edit.at) return record;
  stopTask(edit, path, record);
  const end = kind.whenDue(step, edit.at);
  if (end.state === "failed") return failStep(edit, path, end.error);
  const excess = addBytes(edit, `The output of the step "${step.id}"`, end.output);
  return excess ? failStep(edit, path, excess) : endStep(edit, path, end);
}

/** Advances a composite step as far as possible. When it ends, no inner step is left running. */
function walkSplit(edit: RunEdit, path: string, options: WalkOptions): StepRecord {
  const record = edit.steps.get(path) as StepRecord;
  const split = splitOf(edit, path, record);
  const tally: Tally = { open: 0, succeeded: 0, errors: [] };
  const timedOut: string[] = [];
  let dueAt = Infinity;
  for (const lane of split.lanes) {
    if (joinOf(split, tally) !== "open") break;
    const end = walkBranch(edit, lane, { ...options, mayStart: options.mayStart && tally.open < split.bound });
    if (end.state === "succeeded") tally.succeeded += 1;
    if (end.state === "failed") tally.errors.push(end.error);
    if (end.state === "open") tally.open += 1;
    if (end.state === "open" && lane.dueAt !== undefined) dueAt = Math.min(dueAt, lane.dueAt);
    if (end.isTimedOut) timedOut.push(lane.name);
  }
  const join = joinOf(split, tally);
  if (timedOut.length > 0) put(edit, path, { ...record, timed_out: (record.timed_out ?? []).concat(timedOut) });
  if (join === "open") return wakeAt(edit, path, dueAt);
  for (const lane of split.lanes) cancelLane(edit, lane);
  if (join === "succeeded") return endStep(edit, path, { state: "succeeded" });
  const step = stepOf(edit.definition, stepIdOf(path));
  const error = (stepKindOf(step) as CompositeKind).failure(step, { path, errors: tally.errors });
  return endStep(edit, path, { state: "failed", error });
}

/** Stores when its next branch is due. */
function wakeAt(edit: RunEdit, path: string, dueAt: number): StepRecord {
  const record = edit.steps.get(path) as StepRecord;
  const { due_at: before = Infinity, ...rest } = record;
  if (dueAt === before) return record;
  return put(edit, path, dueAt === Infinity ? rest : { ...rest, due_at: dueAt });
}

/** Advances a lane that can have its own deadline. After the deadline it starts no step, and times out unless it has just ended. */
function walkBranch(edit: RunEdit, lane: Lane, options: WalkOptions): LaneEnd & { readonly isTimedOut?: boolean } {
  const known = laneEnd(edit, lane);
  if (known.state !== "open") return known;
  const dueAt = lane.dueAt ?? Infinity;
  const isDue = dueAt <= edit.at;
  const end = walkLane(edit, lane, {
    mayStart: options.mayStart && !isDue,
    capAt: Math.min(options.capAt, dueAt),
    depth: options.depth + 1,
  });
  if (end.state !== "open" || !isDue) return end;
  cancelLane(edit, lane);
  return { ...(laneEnd(edit, { ...lane, isTimedOut: true }) as LaneEnd & { state: "failed" }), isTimedOut: true };
}

/** The ended lanes of a split. */
interface Tally {
  open: number;
  succeeded: number;
  readonly errors: RunProblem[];
}

/** Returns the outcome as soon as it is decided. A split that can't succeed any more has failed; its other lanes are not awaited. */
function joinOf({ isTolerant, lanes, need }: Split, { errors, succeeded }: Tally): "open" | "succeeded" | "failed" {
  if (isTolerant) return succeeded + errors.length === lanes.length ? "succeeded" : "open";
  if (errors.length > lanes.length - need) return "failed";
  return succeeded >= need ? "succeeded" : "open";
}
