import type { WorkflowDefinition } from "@crosszone/contracts";
import { selectionOf } from "./selection.ts";

/** What people know the step at a path by: its title, and within a loop its path too. */
export function stepTitle({ steps }: Pick<WorkflowDefinition, "steps">, path: string): string {
  const { stepId } = selectionOf(path);
  const title = steps[stepId]?.title;
  if (title === undefined) return path;
  return path === stepId ? title : `${title} (${path})`;
}
