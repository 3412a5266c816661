import type { AgentDirectory } from "../agents/agent-directory.ts";
import { successWith } from "./run-agent.ts";
import { failureOf } from "./task-end.ts";
import type { TaskStore } from "./task-store.ts";
import type { Task } from "./task.ts";

/**
 * Returns a task that has ended, or `working` while its work, which an operator has retried after it failed, goes on.
 * The first call after that work has ended stores its new end.
 */
export async function retriedTask(
  task: Task,
  { agents, store }: { readonly agents: Pick<AgentDirectory, "resolve">; readonly store: Pick<TaskStore, "revise"> },
): Promise<Task | "working"> {
  const { task_id, outcome } = task;
  if (outcome === undefined || !("error" in outcome) || outcome.error.data.failed_run === undefined) return task;
  const agent = await agents.resolve(task.agent).catch(() => undefined);
  const revision = outcome.error.data.progress?.revision ?? 0;
  try {
    const answer = await agent?.sinceFailure?.(task_id, revision);
    if (answer === undefined || answer === "working") return answer ?? task;
    return await store.revise(task, "success", successWith(answer, { task_id, agent: task.agent }));
  } catch (error) {
    const end = failureOf(task, error);
    // Another error, such as an outage of the database, is no end of the work.
    const isEnd = "error" in end.outcome && end.outcome.error.data.failed_run !== undefined;
    if (!isEnd) throw error;
    return store.revise(task, end.state, end.outcome);
  }
}
