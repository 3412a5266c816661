import type { AgentTask, AgentTaskFile } from "@crosszone/contracts";
import type { AgentContext, AgentTaskInput } from "../agent.ts";

/**
 * What came with a question, as it leaves the zone. Files are named; nothing that opens them goes along, and nothing that says who wrote:
 * an agent may be anybody's.
 */
export function cameAlong({ thread, attachments }: Pick<AgentTaskInput, "thread" | "attachments">) {
  return {
    thread: thread.map(({ user: _user, ...said }) => said),
    attachments: attachments.map(({ id: _id, url: _url, ...described }) => described),
  };
}

/** A task with its place in the conversation with the agent. */
export interface BridgedTaskInput extends AgentTaskInput {
  readonly agent_context_id?: string;
  /** The agent's task that this message continues. */
  readonly open_task_id?: string;
  /** The attachments that go along with their contents. */
  readonly files?: readonly AgentTaskFile[];
}

/**
 * A task as it goes to the bus. Run and task have the zone's own id, so that a task which is run again, by whatever process, is the
 * same one to the bridge and to the agent.
 */
export function agentTaskOf(
  agentName: string,
  { task_id, correlation_id, text, thread, attachments, agent_context_id, open_task_id, files = [] }: BridgedTaskInput,
  { now, deadline }: Pick<AgentContext, "now" | "deadline">,
): AgentTask {
  const described = cameAlong({ thread, attachments });
  return {
    run_id: task_id,
    task_id,
    agent_name: agentName,
    input_data: {
      text,
      ...(thread.length > 0 && { thread: described.thread }),
      ...(attachments.length > 0 && { attachments: described.attachments }),
    },
    correlation_id,
    ...(agent_context_id !== undefined && { context_id: agent_context_id }),
    ...(open_task_id !== undefined && { open_task_id }),
    ...(files.length > 0 && { files: [...files] }),
    timestamp: now().toISOString(),
    ...(deadline !== undefined && { deadline: deadline.toISOString() }),
  };
}
