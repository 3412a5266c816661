import type { RunProblem } from "@crosszone/contracts";
import type { Split } from "../steps/step-kind.ts";

/** The ended lanes of a split. */
export interface Tally {
  open: number;
  succeeded: number;
  readonly errors: RunProblem[];
}

/** Returns the outcome as soon as it is decided. A split that can't succeed any more has failed; its other lanes are not awaited. */
export function joinOf(
  { isTolerant, lanes, need }: Split,
  { errors, succeeded }: Tally,
): "open" | "succeeded" | "failed" {
  if (isTolerant) return succeeded + errors.length === lanes.length ? "succeeded" : "open";
  if (errors.length > lanes.length - need) return "failed";
  return succeeded >= need ? "succeeded" : "open";
}
