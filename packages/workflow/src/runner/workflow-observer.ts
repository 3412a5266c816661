import type { ChannelName } from "@crosszone/bus";
import type { RunState, StepState } from "@crosszone/contracts";

/** Names a run, for logs and metrics. */
export interface RunIds {
  readonly run_id: string;
  readonly workflow_id: string;
  readonly correlation_id: string;
  /** Of the messages of its tasks, when it has one. */
  readonly traceparent: string | undefined;
}

/**
 * What is told of runs, for log lines, metrics and traces: after it is durable, by the process that did it. Never what people or agents
 * wrote.
 */
export interface WorkflowObserver {
  readonly runStarted: (run: RunIds) => void;
  /** A retry opened it again. */
  readonly runReopened: (run: RunIds) => void;
  /** `durationMs` since it was started. */
  readonly runEnded: (run: RunIds, end: { readonly state: RunState; readonly durationMs: number }) => void;
  /** A step began, or ended after `durationMs`. */
  readonly stepChanged: (
    run: RunIds,
    step: {
      readonly path: string;
      readonly attempt: number;
      readonly state: StepState;
      readonly durationMs: number | undefined;
    },
  ) => void;
  /** A fault of ours ended the run. */
  readonly runBroken: (run: RunIds, fault: unknown) => void;
  /** No key opens the run; it was ended. */
  readonly runUnreadable: (runId: string, cause: unknown) => void;
  /** Nobody can read a message. */
  readonly messageRefused: (message: { readonly channel: ChannelName; readonly reason: string }) => void;
  /** A look for runs whose time has come, or the work on one, failed; it is done again. */
  readonly timerFailed: (cause: unknown, runId?: string) => void;
}
