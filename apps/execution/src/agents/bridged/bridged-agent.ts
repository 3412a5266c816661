import type { AgentRegistry } from "@crosszone/agent-bridge";
import type { AgentRecord, AgentResult } from "@crosszone/contracts";
import { teamKey } from "../../database/open-execution-database.ts";
import { type RegisteredAgents, retryableOnOutage } from "../agent-directory.ts";
import type { Agent, AgentProgress } from "../agent.ts";
import { fetchLinkedFiles, type AgentFiles } from "../answers/fetch-linked-files.ts";
import { answerOf } from "../answers/result-answer.ts";
import type { CallPreviews } from "../calls/call-previews.ts";
import type { TaskCalls } from "../calls/task-calls.ts";
import { contextIdOf, type Conversation, type Conversations } from "../conversations.ts";
import { agentTaskOf } from "./agent-task-of.ts";
import { type FileLeftOut, type FileLinking, filesForAgent, linksOfTask, sayLeftOut } from "./files-for-agent.ts";

/** Provides the registry's enabled agents as agents of this zone. */
export function createBridgedAgents(registry: AgentRegistry, deps: BridgedAgentDeps): RegisteredAgents {
  const agentOf = (record: AgentRecord) => createBridgedAgent(record, deps);
  return {
    find: async (name) => {
      const record = await retryableOnOutage(() => registry.find(name));
      return record?.enabled === true ? agentOf(record) : undefined;
    },
    list: async () => (await retryableOnOutage(() => registry.listEnabled())).map(agentOf),
  };
}

export interface BridgedAgentDeps {
  readonly calls: TaskCalls;
  readonly conversations: Conversations;
  readonly progress?: AgentProgress;
  /** Shows what the agent streams when this process's bridge calls it. */
  readonly openPreview?: CallPreviews["open"];
  /** Creates links for files that don't fit into the question. Absent when agents can't reach this zone. */
  readonly fileLinks?: FileLinking;
  /** Fetches files that an agent links to at its own origin. When absent, they stay links. */
  readonly agentFiles?: AgentFiles;
  /** Includes the bridge's error message in the error for the caller, for the agent's owner. */
  readonly showDetail?: boolean;
}

/**
 * Creates the agent for a registered agent, which the bridge calls over HTTP. A task may run again: the bridge
 * recognizes its id and returns the existing result.
 */
export function createBridgedAgent(
  record: AgentRecord,
  { calls, conversations, progress, openPreview, fileLinks, agentFiles, showDetail = false }: BridgedAgentDeps,
): Agent {
  const { name, description, side_effects: sideEffects = false, send_thread: asksForThread = false } = record;
  return {
    name,
    description,
    skills: [],
    repeatable: true,
    describe: async () => ({ sideEffects }),
    progress,
    conversationOf: (threadContextId) => contextIdOf(threadContextId, name),
    run: async (input, context) => {
      const { signal, traceparent, preview } = context;
      if (openPreview !== undefined) preview?.showsProgress(true);
      const team = input.team_id === undefined ? undefined : teamKey(input.team_id);
      const contextId = input.context_id === undefined ? undefined : contextIdOf(input.context_id, name);
      const { before = contextId === undefined ? {} : await conversations.find(contextId), keep = conversations.keep } =
        context.conversation ?? {};
      const links =
        fileLinks && linksOfTask(fileLinks, { task_id: input.parent_task_id ?? input.task_id, team }, context);
      const { files, leftOut } = await filesForAgent(input.attachments, context, links);
      const place = { agent_context_id: before.agentContextId ?? contextId, open_task_id: before.openTaskId };
      // An agent keeps what it was told by the context id; one of simple-a2a gets no such id.
      const knows = before.openTaskId !== undefined || (before.hasThread && record.protocol !== "simple-a2a");
      const sendsThread = asksForThread && !knows;
      const task = agentTaskOf(name, { ...input, ...place, files, sendsThread }, context);
      const close = preview && openPreview?.(input.task_id, preview);
      const request = { task, parentTaskId: input.parent_task_id, team, traceparent, onStored: preview?.showsProgress };
      const result = await calls.call(request, signal).finally(close);
      if (contextId !== undefined) {
        const after = conversationAfter(before, result, asksForThread);
        if (JSON.stringify(after) !== JSON.stringify(before)) await keep({ contextId, conversation: after, team });
      }
      const output = await fetchLinkedFiles(result.output_data, agentFiles && { ...agentFiles, agent: record, signal });
      const answer = answerOf({ ...result, output_data: output }, { agent: name, showDetail });
      return sayLeftOut(answer, name, [...leftOut, ...refusedOf(result)]);
    },
    cancelElsewhere: (task) => calls.cancel(task, "canceled"),
  };
}

/** The files that the bridge did not send, because the agent's card does not accept their types. */
const refusedOf = ({ files_left_out = [] }: AgentResult): FileLeftOut[] =>
  files_left_out.map((file) => ({ name: file, reason: "of a type that it does not accept" }));

/** A question leaves the agent's task open; any other result closes it. An unreachable agent changes nothing. */
function conversationAfter(
  before: Conversation,
  { status, error, context_id, open_task_id }: AgentResult,
  asksForThread: boolean,
): Conversation {
  const kept = context_id ?? before.agentContextId;
  const isOver = status === "SUCCESS" || error === undefined || !error.retryable;
  const openTaskId = open_task_id ?? (isOver ? undefined : before.openTaskId);
  const hasThread = asksForThread && (isOver || before.hasThread === true);
  return { agentContextId: kept, openTaskId, hasThread: hasThread ? true : undefined };
}
