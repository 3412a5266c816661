import type { RunState, StepState } from "@crosszone/contracts";

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
