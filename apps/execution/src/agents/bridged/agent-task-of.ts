import type { AgentTask, AgentTaskFile } from "@crosszone/contracts";
import type { AgentMessage, AgentTaskInput, RunTime } from "../agent.ts";

/**
 * The thread and attachments as third-party agents and workflows get them. Includes descriptions of files, but no ids or URLs, and no
 * user ids.
 */
export function cameAlong({ thread, attachments }: AgentMessage) {
  return {
    thread: thread.map(({ user: _user, ...said }) => said),
    attachments: attachments.map(({ id: _id, url: _url, ...described }) => described),
  };
}

/** A task with its place in the agent's conversation. */
export interface BridgedTaskInput extends AgentTaskInput {
  readonly agent_context_id?: string;
  /** The agent's task that this message continues. */
  readonly open_task_id?: string;
  /** Attachments that are sent with contents or a link. */
  readonly files?: readonly AgentTaskFile[];
  /** Whether the agent gets the earlier messages of the thread. */
  readonly sendsThread?: boolean;
}

/**
 * Converts a task to a bus message. Run and task have the zone's task id, so bridge and agent recognize a task that
 * runs again in any process.
 */
export function agentTaskOf(agentName: string, input: BridgedTaskInput, { now, deadline }: RunTime): AgentTask {
  const { task_id, correlation_id, text, agent_context_id, open_task_id, files = [], sendsThread = false } = input;
  const { thread } = cameAlong(input);
  return {
    run_id: task_id,
    task_id,
    agent_name: agentName,
    // No member is undefined here: an agent gets other bytes for a member that only a stored task loses.
    input_data: sendsThread && thread.length > 0 ? { text, thread } : { text },
    correlation_id,
    context_id: agent_context_id,
    open_task_id,
    files: files.length > 0 ? [...files] : undefined,
    timestamp: now().toISOString(),
    deadline: deadline?.toISOString(),
  };
}
