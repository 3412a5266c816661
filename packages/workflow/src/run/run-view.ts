import type { WorkflowDefinition } from "@crosszone/contracts";
import type { RunRecord, StepRecord } from "./run-record.ts";

/** What there is to know of a run without asking anybody: its definition and what its steps came to, by path. */
export interface RunView {
  readonly definition: WorkflowDefinition;
  readonly limits: RunRecord["limits"];
  readonly steps: ReadonlyMap<string, StepRecord>;
}

export function viewOf(definition: WorkflowDefinition, run: RunRecord): RunView {
  return { definition, limits: run.limits, steps: run.steps };
}
