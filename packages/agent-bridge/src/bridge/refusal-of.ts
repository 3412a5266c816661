import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../agent-failure.ts";
import type { TakenCall } from "../calls/agent-call.ts";

/** Why a call that was taken is not begun; nothing when it can be. */
export function refusalOf(
  { task, isReadable, attempt, remainingMs }: TakenCall,
  agent: AgentRecord | undefined,
  mostAttempts: number,
): AgentFailure | undefined {
  const name = JSON.stringify(task.agent_name);
  if (agent === undefined) return new AgentFailure("unknown_agent", `There is no agent with the name ${name}.`);
  if (!agent.enabled) return new AgentFailure("agent_disabled", `The agent ${name} is switched off.`);
  if (remainingMs <= 0) return new AgentFailure("deadline_exceeded", "The task's deadline passed before it was begun.");
  if (!isReadable)
    return new AgentFailure(
      "internal",
      "What was asked cannot be read any more: it is sealed with a key that is gone.",
    );
  if (attempt > mostAttempts)
    return new AgentFailure("internal", `The task was begun ${mostAttempts} times, and each time its process died.`);
  return undefined;
}
