import type { RunProblem } from "@crosszone/contracts";
import { WorkflowFault } from "../mapping/workflow-fault.ts";
import { laneOutput, mainLane } from "./lanes.ts";
import { cancelLane, type RunDraft } from "./run-draft.ts";
import type { EndCommand } from "./run-events.ts";
import { scopeAt } from "./scope-at.ts";
import { walkLane } from "./walk.ts";

/** The end of a run. */
export type RunEnd = Omit<EndCommand, "type">;

/**
 * Advances a run as far as possible. Returns its end, or undefined while it is open. After the deadline no step starts; a last result that
 * arrives with the deadline still counts.
 */
export function settle(draft: RunDraft, deadlineAt: number): RunEnd | undefined {
  const lane = mainLane(draft);
  const isOver = deadlineAt <= draft.at;
  const end = walkLane(draft, lane, { mayStart: !isOver, capAt: deadlineAt, depth: 0 });
  if (end.state === "succeeded") return succeed(draft);
  if (isOver) {
    cancelLane(draft, lane);
    return {
      state: "timed_out",
      error: { kind: "run_timed_out", message: "The run reached its deadline before it was done." },
    };
  }
  return end.state === "failed" ? { state: "failed", error: causeOf(draft, end.error) } : undefined;
}

function succeed(draft: RunDraft): RunEnd {
  const { output_mapping } = draft.definition;
  if (output_mapping === undefined) return { state: "succeeded", output: laneOutput(draft, mainLane(draft)) };
  try {
    return { state: "succeeded", output: draft.plan.expressions.resolve(output_mapping, scopeAt(draft, "")) ?? null };
  } catch (error) {
    if (!(error instanceof WorkflowFault)) throw error;
    return { state: "failed", error: { kind: error.kind, message: error.message } };
  }
}

/** If a step failed because of another, returns the error of the other, which is more specific. */
function causeOf(draft: RunDraft, error: RunProblem): RunProblem {
  const cause =
    error.kind === "step_failed" && error.path !== undefined ? draft.steps.get(error.path)?.error : undefined;
  return cause ?? error;
}
