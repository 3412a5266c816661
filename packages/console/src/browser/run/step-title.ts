import type { WorkflowDefinition } from "@crosszone/contracts";
import { selectionOf } from "./selection.ts";

/** Returns the title of the step at a path; within a loop, with the path. */
export function stepTitle({ steps }: Pick<WorkflowDefinition, "steps">, path: string): string {
  const { stepId } = selectionOf(path);
  const title = steps[stepId]?.title;
  if (title === undefined) return path;
  return path === stepId ? title : `${title} (${path})`;
}
