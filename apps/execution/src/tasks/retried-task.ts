import type { AgentDirectory } from "../agents/agent-directory.ts";
import { successWith } from "./run-agent.ts";
import { failureOf } from "./task-end.ts";
import type { Task } from "./task.ts";

/**
 * Returns a task that has ended as its work is now: `working`, or with its new end, if an operator has retried the work
 * after it failed.
 */
export async function retriedTask(task: Task, agents: Pick<AgentDirectory, "resolve">): Promise<Task | "working"> {
  const { task_id, agent: name, outcome } = task;
  if (outcome === undefined || !("error" in outcome) || outcome.error.data.failed_run === undefined) return task;
  const agent = await agents.resolve(name);
  try {
    const answer = await agent?.sinceFailure?.(task_id, outcome.error.data.progress?.revision ?? 0);
    if (answer === undefined || answer === "working") return answer ?? task;
    return { ...task, state: "success", outcome: successWith(answer, { task_id, agent: name }) };
  } catch (error) {
    const { state, outcome: end } = failureOf(task, error);
    // Another error, such as an outage of the database, is no end of the work.
    if (!("error" in end) || end.error.data.failed_run === undefined) throw error;
    return { ...task, state, outcome: end };
  }
}
