import { stepOf } from "./run-plan.ts";
import { put, type RunDraft } from "./run-draft.ts";
import type { StepRecord } from "./run-record.ts";
import { goesOnAfter, mainLane, splitOf, type Lane } from "./split.ts";
import { stepIdOf } from "./step-path.ts";

/**
 * Makes what failed or was canceled pending again, so that it starts once more as another attempt. What succeeded stays, and so does a
 * failure that the plan put up with: what follows it has seen it.
 */
export function reopen(draft: RunDraft): void {
  reopenLane(draft, mainLane(draft), false);
}

/** `isPutUpWith`: what the lane belongs to puts up with its failure. */
function reopenLane(draft: RunDraft, lane: Lane, isPutUpWith: boolean): void {
  for (const path of lane.paths) {
    const record = draft.steps.get(path);
    if (!record || record.state === "succeeded") continue;
    if (record.state === "failed" && (isPutUpWith || goesOnAfter(stepOf(draft.definition, stepIdOf(path))))) continue;
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
