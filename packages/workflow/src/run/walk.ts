import type { RunProblem } from "@crosszone/contracts";
import { PlanFault } from "../mapping/scope.ts";
import { stepIdOf, stepOf } from "../state/run-plan.ts";
import { hasEnded, type StepRecord } from "../state/run-record.ts";
import type { CompositeKind, Lane, LaneEnd, Split } from "../steps/step-kind.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { isPassed, laneEnd, splitOf } from "./lanes.ts";
import { cancelLane, endStep, failStep, put, type RunEdit, stopTask } from "./run-edit.ts";
import { startStep, type WalkOptions } from "./start-step.ts";

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
  const kind = kindOf(step);
  if (kind.form === "composite") return walkSplit(edit, path, options);
  if (record.due_at === undefined || record.due_at > edit.at) return record;
  stopTask(edit, path, record);
  const end = kind.whenDue(step);
  return end.state === "failed" ? failStep(edit, path, end.error) : endStep(edit, path, end);
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
  if (timedOut.length > 0) put(edit, path, { ...record, timed_out: [...(record.timed_out ?? []), ...timedOut] });
  if (join === "open") return wakeAt(edit, path, dueAt);
  for (const lane of split.lanes) cancelLane(edit, lane);
  return join === "succeeded" ? endStep(edit, path, { state: "succeeded" }) : failSplit(edit, path, tally.errors);
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

function failSplit(edit: RunEdit, path: string, errors: readonly RunProblem[]): StepRecord {
  const step = stepOf(edit.definition, stepIdOf(path));
  const kind = kindOf(step) as CompositeKind;
  return endStep(edit, path, { state: "failed", error: kind.failure(step, { path, errors }) });
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
