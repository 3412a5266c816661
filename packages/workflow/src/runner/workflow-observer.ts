import type { RunState, StepState } from "@crosszone/contracts";
import { isEnded } from "../state/run-record.ts";
import type { StoredRun } from "../store/stored-run.ts";
import { durationOf, type RunTurn } from "./run-turn.ts";

/** Identifies a run in logs and metrics. */
export interface RunIds {
  readonly run_id: string;
  readonly workflow_id: string;
  readonly correlation_id: string;
  /** Trace context of its tasks' messages, if it has one. */
  readonly traceparent: string | undefined;
}

/**
 * Receives events for logs, metrics and traces, after they are durable, in the process that caused them. Contains no text of people or
 * agents.
 */
export interface WorkflowObserver {
  readonly runStarted: (run: RunIds) => void;
  /** A retry reopened the run. */
  readonly runReopened: (run: RunIds) => void;
  /** `durationMs`: time since the start. */
  readonly runEnded: (run: RunIds, end: { readonly state: RunState; readonly durationMs: number }) => void;
  /** A step started, or ended after `durationMs`. */
  readonly stepChanged: (
    run: RunIds,
    step: {
      readonly path: string;
      readonly attempt: number;
      readonly state: StepState;
      readonly durationMs: number | undefined;
    },
  ) => void;
  /** An internal error ended the run. */
  readonly runBroken: (run: RunIds, fault: unknown) => void;
  /** The run can't be decrypted with any key, and was ended. */
  readonly runUnreadable: (runId: string, cause: unknown) => void;
  /** No key decrypts an agent's result. It is retried; after five attempts the step fails. */
  readonly resultUnreadable: (callId: string, cause: unknown) => void;
  /** An operation on stored results failed. It is retried. */
  readonly storeFailed: (operation: "take" | "renew" | "release" | "end", cause: unknown) => void;
  /** A poll for due runs, or the processing of one, failed. It is retried. */
  readonly timerFailed: (cause: unknown, runId?: string) => void;
}

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
