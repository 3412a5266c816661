import type { WorkflowDefinition } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";

/** The selected step, or one pass of it through a loop. Without a selection the panel shows the run. */
export interface Selection {
  readonly stepId: string;
  readonly path?: string;
}

/** Selects the step at a path, such as `each[3].slips`. */
export function selectionOf(path: string): Selection {
  return { stepId: path.slice(path.lastIndexOf(".") + 1), path };
}

/** Returns the title of the step at a path; within a loop, with the path. */
export function stepTitle(steps: WorkflowDefinition["steps"], path: string): string {
  const { stepId } = selectionOf(path);
  const title = steps[stepId]?.title;
  if (title === undefined) return path;
  return path === stepId ? visibleLine(title) : `${visibleLine(title)} (${path})`;
}
