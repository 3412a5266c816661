import type { CallHeaders, TaskNames } from "@crosszone/jobs";
import type { AgentTaskIds } from "../bridge-observer.ts";

/** Returns a task's ids for the observer. */
export function taskIdsOf(task: TaskNames, headers: CallHeaders): AgentTaskIds {
  const { run_id, task_id, agent_name, correlation_id } = task;
  return { run_id, task_id, agent_name, correlation_id, traceparent: headers.traceparent };
}
