import type { MessageHeaders } from "@crosszone/bus";
import type { AgentTaskIds } from "../bridge-observer.ts";
import type { TaskNames } from "../calls/agent-call.ts";

/** Returns a task's ids for the observer. */
export function taskIdsOf(task: TaskNames, headers: MessageHeaders): AgentTaskIds {
  const { run_id, task_id, agent_name, correlation_id } = task;
  return { run_id, task_id, agent_name, correlation_id, traceparent: headers.traceparent };
}
