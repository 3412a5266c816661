import { ZoneError } from "@crosszone/contracts";
import type { Agent } from "../agents/agent.ts";
import type { TakenTask } from "./task.ts";

/**
 * Returns the agent for a task taken over from another process, or why it must not run. Rejects with a retryable error
 * when the agents can't be read.
 */
export async function judgeRetry(
  { task, attempt, remainingMs, handle }: TakenTask,
  agent: Agent | undefined,
  mostAttempts: number,
): Promise<Agent | ZoneError> {
  // Sealed with a key that is missing.
  if (!("params" in task)) return new ZoneError("internal");
  if (remainingMs <= 0) return new ZoneError("timeout");
  if (agent === undefined) return new ZoneError("unknown_agent", { agent: task.agent });
  const wasRun = attempt > 1;
  const needsHandle = (task.params.attachments?.length ?? 0) > 0 && handle === undefined;
  const isSpent = attempt > mostAttempts || (wasRun && agent.repeatable === false) || needsHandle;
  if (isSpent && !(await agent.isBegun?.(task.task_id)))
    return new ZoneError("agent_unavailable", { agent: agent.name });
  return agent;
}
