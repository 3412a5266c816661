import type { WorkflowDefinition } from "@crosszone/contracts";
import type { RunRecord, StepRecord } from "./run-record.ts";

/** A run as known locally: its definition and its steps' records by path. */
export interface RunView {
  readonly definition: WorkflowDefinition;
  readonly limits: RunRecord["limits"];
  readonly steps: ReadonlyMap<string, StepRecord>;
}

export function viewOf(definition: WorkflowDefinition, run: RunRecord): RunView {
  return { definition, limits: run.limits, steps: run.steps };
}
