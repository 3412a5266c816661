import type { RunProblem } from "@crosszone/contracts";
import type { Split } from "./split.ts";

/** How the lanes of a split stand, as far as they were looked at. */
export interface Tally {
  open: number;
  succeeded: number;
  readonly errors: RunProblem[];
}

/** Whether that decides it. What can never succeed has failed: it is not waited for. */
export function joinOf(
  { isTolerant, lanes, need }: Split,
  { errors, succeeded }: Tally,
): "open" | "succeeded" | "failed" {
  if (isTolerant) return succeeded + errors.length === lanes.length ? "succeeded" : "open";
  if (errors.length > lanes.length - need) return "failed";
  return succeeded >= need ? "succeeded" : "open";
}
