import type { StepState, WorkflowDefinition } from "@crosszone/contracts";
import type { RunRecord } from "./run-record.ts";
import { survey } from "./survey.ts";

/** A line of what people see of a run. */
export interface ProgressLine {
  readonly id: string;
  /** The step's title, otherwise its id. */
  readonly title: string;
  readonly state: StepState;
  /** How far it is indented: how many steps are around it. */
  readonly depth: number;
  /** For a loop its items, inside of one its instances. */
  readonly done?: number;
  readonly total?: number;
}

/** The steps of a run as a list for people: one line for each step of the definition, however often it runs. */
export function progressOf(definition: WorkflowDefinition, run: RunRecord): readonly ProgressLine[] {
  return survey(definition, run).map(({ depth, progress, state, step }) => ({
    id: step.id,
    title: step.title ?? step.id,
    state,
    depth,
    ...progress,
  }));
}
