import type { WorkflowDefinition } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { createExpressions } from "../expressions/expressions.ts";
import type { RunPlan } from "../state/run-plan.ts";
import { recently } from "../threads/recently.ts";

/** The functions needed to build a run from its rows. */
export interface RunReading {
  readonly codec: RecordCodec;
  /** Returns the plan of a definition's JSON. */
  readonly planOf: (definition: string) => Omit<RunPlan, "input">;
}

/** Number of cached plans, the most recently used. Many runs share a definition. */
const mostPlans = 50;

/** Parses definitions, mappings and conditions once for all their runs. */
export function createPlans(): RunReading["planOf"] {
  return recently(mostPlans, (text) => ({
    definition: JSON.parse(text) as WorkflowDefinition,
    expressions: createExpressions(),
  }));
}
