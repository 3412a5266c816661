import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../agent-failure.ts";
import type { TakenCall } from "../calls/taken-call.ts";

/** Returns why a taken call must not start; undefined when it can. */
export function refusalOf(
  { task, isReadable, attempt, remainingMs }: TakenCall,
  agent: AgentRecord | undefined,
  mostAttempts: number,
): AgentFailure | undefined {
  const name = JSON.stringify(task.agent_name);
  if (agent === undefined) return new AgentFailure("unknown_agent", `No agent has the name ${name}.`);
  if (!agent.enabled) return new AgentFailure("agent_disabled", `The agent ${name} is disabled.`);
  if (remainingMs <= 0) return new AgentFailure("deadline_exceeded", "The task's deadline passed before it started.");
  if (!isReadable) return new AgentFailure("internal", "The task's input can't be decrypted: its key is missing.");
  if (attempt > mostAttempts)
    return new AgentFailure(
      "internal",
      `The task was started ${mostAttempts} times, and each time its process crashed.`,
    );
  return undefined;
}
