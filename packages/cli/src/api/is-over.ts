import type { RunState, StepState } from "@crosszone/contracts";

/** Returns true for a final state: the run or step changes only after a retry. */
export const isOver = (state: RunState | StepState): boolean => state !== "pending" && state !== "running";
