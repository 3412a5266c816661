import type { TaskStep, WorkflowDefinition } from "@crosszone/contracts";
import type { RunRecord } from "../state/run-record.ts";
import { survey } from "./survey.ts";

/** Returns the steps of a run as a list for people: one line for each step of the definition, whatever the number of its instances. */
export function progressOf(definition: WorkflowDefinition, run: RunRecord): TaskStep[] {
  return survey(definition, run).map(({ depth, progress, state, step }) => ({
    id: step.id,
    title: step.title ?? step.id,
    state,
    depth,
    ...progress,
  }));
}
