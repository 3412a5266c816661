import type { RunState, StepState } from "@crosszone/contracts";

/** Any state that the page shows. */
export type ShownState = RunState | StepState;

/** The label of each state. */
export const stateWords: Readonly<Record<ShownState, string>> = {
  pending: "Waiting",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  canceled: "Canceled",
  skipped: "Skipped",
  timed_out: "Timed out",
};

/** Whether the run has ended. It can still be retried. */
export const isFinal = (state: RunState): boolean => state !== "pending" && state !== "running";
