import { ZoneError, type TaskSucceeded } from "@crosszone/contracts";
import type { Task } from "../tasks/task.ts";

/** The result of a final task, the same for each caller that polls. Throws the error that the task ended with. */
export function resultOf({ task_id, outcome }: Task, defaultAgent: string): TaskSucceeded {
  if (!outcome) throw new ZoneError("internal", { task_id });
  if ("error" in outcome) throw new ZoneError(outcome.error.kind, outcome.error.data);
  const { answer } = outcome;
  return { ...answer, ...(answer.agent !== undefined && { default_agent: answer.agent === defaultAgent }) };
}
