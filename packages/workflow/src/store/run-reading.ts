import type { WorkflowDefinition } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { createExpressions } from "../expressions.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { recently } from "./recently.ts";

/** What it takes to make a run of its rows. */
export interface RunReading {
  readonly codec: RecordCodec;
  /** The plan of a definition, by its JSON. */
  readonly planOf: (definition: string) => Omit<RunPlan, "input">;
}

/** So many definitions are kept that were read, those that were asked for last: many runs follow the same one. */
const mostPlans = 50;

/** Reads definitions, and what their mappings and conditions say, once for all runs of them. */
export function createPlans(): RunReading["planOf"] {
  return recently(mostPlans, (text) => ({
    definition: JSON.parse(text) as WorkflowDefinition,
    expressions: createExpressions(),
  }));
}
