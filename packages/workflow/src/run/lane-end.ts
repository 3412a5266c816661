import type { RunProblem } from "@crosszone/contracts";
import type { StepRecord } from "./run-record.ts";
import { stepOf } from "./run-plan.ts";
import type { RunView } from "./run-view.ts";
import { goesOnAfter, type Lane } from "./split.ts";
import { stepIdOf } from "./step-path.ts";

/** The state of a lane. */
export type LaneEnd =
  | { readonly state: "open" }
  /** `last` is the path of its last step; absent in a lane without steps. */
  | { readonly state: "succeeded"; readonly last?: string }
  | { readonly state: "failed"; readonly error: RunProblem };

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

/** Returns true if a step has ended. Only a retry of the run restarts it. */
export function hasEnded(record: StepRecord): boolean {
  return record.state !== "pending" && record.state !== "running";
}

/** Returns true if the step after this one may start. */
export function isPassed(view: RunView, path: string, record: StepRecord): boolean {
  if (record.state === "succeeded") return true;
  return record.state === "failed" && goesOnAfter(stepOf(view.definition, stepIdOf(path)));
}

const canceledProblem: RunProblem = { kind: "canceled", message: "The step was canceled." };

function branchTimedOut({ name, paths }: Lane): RunProblem {
  return {
    kind: "step_timed_out",
    message: `The branch "${name}" (${paths.map(stepIdOf).join(", ")}) timed out.`,
  };
}
