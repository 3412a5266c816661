import { ZoneError, type TaskSucceeded } from "@crosszone/contracts";
import type { Task } from "../tasks/task.ts";

/** Returns the result of a final task, the same for every poll. Throws the error of a failed task. */
export function resultOf({ task_id, outcome }: Task, defaultAgent: string): TaskSucceeded {
  if (!outcome) throw new ZoneError("internal", { task_id });
  if ("error" in outcome) throw new ZoneError(outcome.error.kind, outcome.error.data);
  const { answer } = outcome;
  return { ...answer, ...(answer.agent !== undefined && { default_agent: answer.agent === defaultAgent }) };
}
