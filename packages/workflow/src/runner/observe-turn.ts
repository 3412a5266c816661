import { isEnded } from "../state/run-record.ts";
import type { StoredRun } from "../store/stored-run.ts";
import { durationOf, type RunTurn } from "./run-turn.ts";
import type { RunIds, WorkflowObserver } from "./workflow-observer.ts";

/** Reports a durable change to the observer. */
export function observeTurn(observer: WorkflowObserver, { before, after, steps, fault }: RunTurn): void {
  const run = runIdsOf(before);
  const wasEnded = isEnded(before.record);
  if (before.record.state === "pending" && after.state !== "pending") observer.runStarted(run);
  if (wasEnded) observer.runReopened(run);
  for (const { path, step } of steps) {
    const { attempt, state } = step;
    if (state !== "pending") observer.stepChanged(run, { path, attempt, state, durationMs: durationOf(step) });
  }
  if (fault !== undefined) observer.runBroken(run, fault);
  if (isEnded(after)) observer.runEnded(run, { state: after.state, durationMs: durationOf(after) ?? 0 });
}

const runIdsOf = ({ record, plan, origin }: StoredRun): RunIds => ({
  run_id: record.run_id,
  workflow_id: plan.definition.workflow_id,
  correlation_id: origin.correlation_id,
  traceparent: origin.headers["traceparent"],
});
