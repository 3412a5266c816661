import type { AgentTask } from "@crosszone/contracts";
import type { AgentContext, AgentTaskInput } from "../agent.ts";

/**
 * A task as it goes to the bus. Run and task have the zone's own id, so that a task which is run again, by whatever process, is the
 * same one to the bridge and to the agent. Files are named; nothing that opens them goes along, and nothing that says who wrote:
 * an agent may be anybody's.
 */
export function agentTaskOf(
  agentName: string,
  { task_id, correlation_id, text, thread, attachments }: AgentTaskInput,
  { now, deadline }: Pick<AgentContext, "now" | "deadline">,
): AgentTask {
  const earlier = thread.map(({ user: _user, ...said }) => said);
  const files = attachments.map(({ id: _id, url: _url, ...described }) => described);
  return {
    run_id: task_id,
    task_id,
    agent_name: agentName,
    input_data: {
      text,
      ...(thread.length > 0 && { thread: earlier }),
      ...(files.length > 0 && { attachments: files }),
    },
    correlation_id,
    timestamp: now().toISOString(),
    ...(deadline !== undefined && { deadline: deadline.toISOString() }),
  };
}
