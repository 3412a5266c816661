import type { RunProblem } from "@crosszone/contracts";
import { chainFrom, hasEnded, type RunView, stepIdOf, stepOf, type StepRecord } from "../steps/run-record.ts";
import type { Lane, LaneEnd, Split } from "../steps/step-kind.ts";
import { stepKindOf } from "../steps/step-kinds.ts";

export function mainLane({ definition }: RunView): Lane {
  return { name: "", paths: chainFrom(definition, definition.start_step) };
}

/** Returns the lanes of a step that have been created so far; none for a step that contains no steps. */
export function splitOf(view: RunView, path: string, record: StepRecord): Split {
  const step = stepOf(view.definition, stepIdOf(path));
  const kind = stepKindOf(step);
  return kind.form === "composite" ? kind.split(step, { view, path, record }) : noLanes;
}

const noLanes: Split = { lanes: [], bound: 1, need: 0, isTolerant: false };

export function laneEnd(view: RunView, lane: Lane): LaneEnd {
  if (lane.isTimedOut) return { state: "failed", error: branchTimedOut(lane) };
  let last: string | undefined;
  for (const path of lane.paths) {
    last = path;
    const record = view.steps.get(last);
    if (!record || !hasEnded(record)) return { state: "open" };
    if (!isPassed(view, last, record)) return { state: "failed", error: record.error ?? canceledProblem };
  }
  return last === undefined ? { state: "succeeded" } : { state: "succeeded", last };
}

/** Returns true if the step after this one may start. */
export function isPassed(view: RunView, path: string, record: StepRecord): boolean {
  return record.state === "succeeded" || (record.state === "failed" && isTolerated(view, path));
}

/** Returns true if the run continues after the step at a path failed. */
export function isTolerated({ definition }: RunView, path: string): boolean {
  const step = stepOf(definition, stepIdOf(path));
  return stepKindOf(step).form === "leaf" && "on_error" in step && step.on_error === "continue";
}

const canceledProblem: RunProblem = { kind: "canceled", message: "The step was canceled." };

function branchTimedOut({ name, paths }: Lane): RunProblem {
  return { kind: "step_timed_out", message: `The branch "${name}" (${paths.map(stepIdOf).join(", ")}) timed out.` };
}

/** Returns the output of a step, any JSON; null if it has not succeeded. */
export function outputOf(view: RunView, path: string): unknown {
  const record = view.steps.get(path);
  if (record?.state !== "succeeded") return null;
  return knownOutputs.getOrInsertComputed(record, () => computeOutput(view, path, record));
}

/** Caches outputs by record. The content of a succeeded step never changes, and a large loop has many items. */
const knownOutputs = new WeakMap<StepRecord, unknown>();

function computeOutput(view: RunView, path: string, record: StepRecord): unknown {
  const step = stepOf(view.definition, stepIdOf(path));
  const lanes = splitOf(view, path, record).lanes.map((lane) => {
    const end = laneEnd(view, lane);
    return { name: lane.name, end, output: lastOutput(view, end) };
  });
  return stepKindOf(step).output(step, { record, lanes });
}

/** Returns the output of a lane's last step; null if the lane has not succeeded. */
export const laneOutput = (view: RunView, lane: Lane): unknown => lastOutput(view, laneEnd(view, lane));

function lastOutput(view: RunView, end: LaneEnd): unknown {
  return end.state === "succeeded" && end.last !== undefined ? outputOf(view, end.last) : null;
}
