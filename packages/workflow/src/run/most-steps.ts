import { PlanFault } from "../plan-fault.ts";
import type { RunDraft } from "./run-draft.ts";

/** Instances of steps that one run may have: loops in loops could fill any memory, and each event looks at all of them. */
const mostSteps = 20_000;

/** Throws when the run may have no more steps. */
export function allowStep({ steps }: RunDraft): void {
  if (steps.size >= mostSteps) throw tooMany();
}

/** Throws when the items of all loops, each of which has a step at least, are more than the run may have steps: before each item is looked at. */
export function allowItems(draft: RunDraft, count: number): void {
  draft.items ??= Array.from(draft.steps.values()).reduce((items, step) => items + (step.count ?? 0), 0);
  draft.items += count;
  if (draft.items > mostSteps) throw tooMany();
}

const tooMany = (): PlanFault =>
  new PlanFault(`The run comes to more than ${String(mostSteps)} steps, and may have no more; make it several runs.`);
