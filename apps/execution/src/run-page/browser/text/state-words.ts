import type { RunState, StepState } from "@crosszone/contracts";

/** Any state that the page shows. */
export type ShownState = RunState | StepState;

/** What a state is called. */
export const stateWords: Readonly<Record<ShownState, string>> = {
  pending: "Waiting",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  canceled: "Canceled",
  skipped: "Skipped",
  timed_out: "Timed out",
};

/** Whether nothing more happens to a run by itself. */
export const isFinal = (state: RunState): boolean => state !== "pending" && state !== "running";

/** Whether a run that ended like this can be tried again. */
export const isRetryable = (state: RunState): boolean => state === "failed" || state === "timed_out";
