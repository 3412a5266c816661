import { PlanFault } from "../mapping/workflow-fault.ts";
import type { RunDraft } from "./run-draft.ts";

/** Maximum number of step instances in a run. Nested loops could fill any memory, and each event processes all instances. */
const mostSteps = 20_000;

/** Throws when the run has reached its maximum number of steps. */
export function allowStep({ steps }: RunDraft): void {
  if (steps.size >= mostSteps) throw tooMany();
}

/**
 * Throws when the items of all loops exceed the maximum number of steps, before any of them is processed. Each item has at least one step.
 */
export function allowItems(draft: RunDraft, count: number): void {
  draft.items ??= Array.from(draft.steps.values()).reduce((items, step) => items + (step.count ?? 0), 0);
  draft.items += count;
  if (draft.items > mostSteps) throw tooMany();
}

const tooMany = (): PlanFault =>
  new PlanFault(`The run exceeds the maximum of ${String(mostSteps)} steps. Split it into several runs.`);
