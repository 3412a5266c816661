import type { StepRecord } from "../state/run-record.ts";
import type { Lane } from "../steps/step-kind.ts";
import { isTolerated, mainLane, splitOf } from "./lanes.ts";
import { put, type RunDraft } from "./run-draft.ts";

/**
 * Resets failed and canceled steps to pending, so that they start again as a new attempt. Keeps succeeded steps, and failures that the plan
 * tolerates, because later steps have seen them.
 */
export function reopen(draft: RunDraft): void {
  reopenLane(draft, mainLane(draft), false);
}

/** `isTolerant`: the step that contains the lane tolerates its failure. */
function reopenLane(draft: RunDraft, lane: Lane, isTolerant: boolean): void {
  for (const path of lane.paths) {
    const record = draft.steps.get(path);
    if (!record || record.state === "succeeded") continue;
    if (record.state === "failed" && (isTolerant || isTolerated(draft, path))) continue;
    reopenStep(draft, path, record);
  }
}

function reopenStep(draft: RunDraft, path: string, record: StepRecord): void {
  const split = splitOf(draft, path, record);
  const { attempt, count, is_true } = record;
  put(draft, path, {
    state: "pending",
    attempt: attempt + 1,
    ...(is_true !== undefined && { is_true }),
    ...(count !== undefined && { count }),
  });
  for (const lane of split.lanes) reopenLane(draft, lane, split.isTolerant);
}
