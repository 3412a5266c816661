import type { RunState, StepState } from "@crosszone/contracts";

/** Whether a run or a step changes only when the run is tried again. */
export const isOver = (state: RunState | StepState): boolean => state !== "pending" && state !== "running";
