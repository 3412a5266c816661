import type { RunProblem } from "@crosszone/contracts";
import { PlanFault } from "../mapping/workflow-fault.ts";
import { stepOf } from "../state/run-plan.ts";
import { hasEnded, type StepRecord } from "../state/run-record.ts";
import { stepIdOf } from "../state/step-path.ts";
import type { CompositeKind, Lane, LaneEnd } from "../steps/step-kind.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { joinOf, type Tally } from "./join.ts";
import { isPassed, laneEnd, splitOf } from "./lanes.ts";
import { cancelLane, endStep, failStep, put, type RunDraft, stopTask } from "./run-draft.ts";
import { startStep } from "./start-step.ts";
import type { WalkOptions } from "./walk-options.ts";

/** Advances a lane as far as possible: starts the next step, and ends steps that are done or due. */
export function walkLane(draft: RunDraft, lane: Lane, options: WalkOptions): LaneEnd {
  for (const path of lane.paths) {
    const record = walkStep(draft, path, options);
    if (!record || !isPassed(draft, path, record)) break;
  }
  return laneEnd(draft, lane);
}

/** Limit of nesting; plans written by people have two or three levels. */
const mostDepth = 50;

function walkStep(draft: RunDraft, path: string, options: WalkOptions): StepRecord | undefined {
  if (options.depth > mostDepth) throw new PlanFault(`The step "${stepIdOf(path)}" of the plan contains itself.`);
  let record = draft.steps.get(path);
  if (record?.state !== "running") {
    if (!options.mayStart || (record && hasEnded(record))) return record;
    record = startStep(draft, path, options);
    if (record?.state !== "running") return record;
  }
  const step = stepOf(draft.definition, stepIdOf(path));
  const kind = kindOf(step);
  if (kind.form === "composite") return walkSplit(draft, path, options);
  if (record.due_at === undefined || record.due_at > draft.at) return record;
  stopTask(draft, path, record);
  const end = kind.whenDue(step);
  return end.state === "failed" ? failStep(draft, path, end.error) : endStep(draft, path, end);
}

/** Advances a composite step as far as possible. When it ends, no inner step is left running. */
function walkSplit(draft: RunDraft, path: string, options: WalkOptions): StepRecord {
  const record = draft.steps.get(path) as StepRecord;
  const split = splitOf(draft, path, record);
  const tally: Tally = { open: 0, succeeded: 0, errors: [] };
  const timedOut: string[] = [];
  let dueAt = Infinity;
  for (const lane of split.lanes) {
    if (joinOf(split, tally) !== "open") break;
    const end = walkBranch(draft, lane, { ...options, mayStart: options.mayStart && tally.open < split.bound });
    if (end.state === "succeeded") tally.succeeded += 1;
    if (end.state === "failed") tally.errors.push(end.error);
    if (end.state === "open") tally.open += 1;
    if (end.state === "open" && lane.dueAt !== undefined) dueAt = Math.min(dueAt, lane.dueAt);
    if (end.isTimedOut) timedOut.push(lane.name);
  }
  const join = joinOf(split, tally);
  if (timedOut.length > 0) put(draft, path, { ...record, timed_out: [...(record.timed_out ?? []), ...timedOut] });
  if (join === "open") return wakeAt(draft, path, dueAt);
  for (const lane of split.lanes) cancelLane(draft, lane);
  return join === "succeeded" ? endStep(draft, path, { state: "succeeded" }) : failSplit(draft, path, tally.errors);
}

/** Stores when its next branch is due. */
function wakeAt(draft: RunDraft, path: string, dueAt: number): StepRecord {
  const record = draft.steps.get(path) as StepRecord;
  const { due_at: before = Infinity, ...rest } = record;
  if (dueAt === before) return record;
  return put(draft, path, dueAt === Infinity ? rest : { ...rest, due_at: dueAt });
}

/** Advances a lane that can have its own deadline. After the deadline it starts no step, and times out unless it has just ended. */
function walkBranch(draft: RunDraft, lane: Lane, options: WalkOptions): LaneEnd & { readonly isTimedOut?: boolean } {
  const known = laneEnd(draft, lane);
  if (known.state !== "open") return known;
  const dueAt = lane.dueAt ?? Infinity;
  const isDue = dueAt <= draft.at;
  const end = walkLane(draft, lane, {
    mayStart: options.mayStart && !isDue,
    capAt: Math.min(options.capAt, dueAt),
    depth: options.depth + 1,
  });
  if (end.state !== "open" || !isDue) return end;
  cancelLane(draft, lane);
  return { ...(laneEnd(draft, { ...lane, isTimedOut: true }) as LaneEnd & { state: "failed" }), isTimedOut: true };
}

function failSplit(draft: RunDraft, path: string, errors: readonly RunProblem[]): StepRecord {
  const step = stepOf(draft.definition, stepIdOf(path));
  const kind = kindOf(step) as CompositeKind;
  return endStep(draft, path, { state: "failed", error: kind.failure(step, { path, errors }) });
}
