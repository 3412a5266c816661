import { ZoneError, type TaskSucceeded } from "@crosszone/contracts";
import type { Task } from "../tasks/task.ts";

/** What a final task answers, to each who asks: its result, or its error thrown again. */
export function resultOf({ task_id, outcome }: Task): TaskSucceeded {
  if (!outcome) throw new ZoneError("internal", { task_id });
  if ("error" in outcome) throw new ZoneError(outcome.error.kind, outcome.error.data);
  return outcome.answer;
}
