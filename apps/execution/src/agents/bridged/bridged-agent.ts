import { type AgentRecord, type AgentResult, type TaskAwaits, ZoneError } from "@crosszone/contracts";
import { teamKey } from "../../database/team-key.ts";
import type { Agent, AgentAnswer, AgentProgress } from "../agent.ts";
import { answerWith } from "../answers/answer-with.ts";
import { fetchLinkedFiles, type LinkedFilesDeps } from "../answers/fetch-linked-files.ts";
import { onlyReported, reportedBy } from "../answers/reported-usage.ts";
import { zoneKindOf } from "../answers/zone-kind-of.ts";
import type { CallPreviews } from "../calls/call-previews.ts";
import type { TaskCalls } from "../calls/task-calls.ts";
import { contextIdOf, type Conversation, type Conversations } from "../conversations.ts";
import { agentTaskOf } from "./agent-task-of.ts";
import { type FileLeftOut, type FileLinking, filesForAgent, linksOfTask, sayLeftOut } from "./files-for-agent.ts";

export interface BridgedAgentDeps {
  readonly calls: Pick<TaskCalls, "call" | "cancel">;
  readonly conversations: Conversations;
  readonly progress?: AgentProgress;
  /** Shows what the agent streams when this process's bridge calls it. */
  readonly previews?: Pick<CallPreviews, "open">;
  /** Creates links for files that don't fit into the question. Absent when agents can't reach this zone. */
  readonly fileLinks?: FileLinking;
  /** Fetches files that an agent links to at its own origin. When absent, they stay links. */
  readonly agentFiles?: Pick<LinkedFilesDeps, "fetchFile" | "maxBytes">;
  /** Includes the bridge's error message in the error for the caller, for the agent's owner. */
  readonly showDetail?: boolean;
}

/**
 * Creates the agent for a registered agent, which the bridge calls over HTTP. A task may run again: the bridge
 * recognizes its id and returns the existing result.
 */
export function createBridgedAgent(
  record: AgentRecord,
  { calls, conversations, progress, previews, fileLinks, agentFiles, showDetail = false }: BridgedAgentDeps,
): Agent {
  const { name, description, side_effects: sideEffects = false } = record;
  return {
    name,
    description,
    skills: [],
    repeatable: true,
    describe: async () => ({ sideEffects }),
    ...(progress !== undefined && { progress }),
    conversationOf: (threadContextId) => contextIdOf(threadContextId, name),
    run: async (input, context) => {
      const { signal, traceparent, preview } = context;
      if (previews !== undefined) preview?.showsProgress(true);
      const team = input.team_id === undefined ? undefined : teamKey(input.team_id);
      const contextId = input.context_id === undefined ? undefined : contextIdOf(input.context_id, name);
      const { before = contextId === undefined ? {} : await conversations.find(contextId), keep = conversations.keep } =
        context.conversation ?? {};
      const links =
        fileLinks && linksOfTask(fileLinks, { task_id: input.parent_task_id ?? input.task_id, team }, context);
      const { files, others: attachments, leftOut } = await filesForAgent(input.attachments, context, links);
      const place = inConversation(contextId, before);
      const task = agentTaskOf(name, { ...input, ...place, attachments, files }, context);
      const close = preview && previews?.open(input.task_id, preview);
      const result = await calls
        .call({ task, parentTaskId: input.parent_task_id, team, traceparent, onStored: preview?.showsProgress }, signal)
        .finally(close);
      if (contextId !== undefined) {
        const after = conversationAfter(before, result);
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

function inConversation(contextId: string | undefined, { agentContextId, openTaskId }: Conversation): object {
  const context = agentContextId ?? contextId;
  return {
    ...(context !== undefined && { agent_context_id: context }),
    ...(openTaskId !== undefined && { open_task_id: openTaskId }),
  };
}

/** A question leaves the agent's task open; any other result closes it. An unreachable agent changes nothing. */
function conversationAfter(
  before: Conversation,
  { status, error, context_id, open_task_id }: AgentResult,
): Conversation {
  const kept = context_id ?? before.agentContextId;
  const isOver = status === "SUCCESS" || error === undefined || !error.retryable;
  const openTaskId = open_task_id ?? (isOver ? undefined : before.openTaskId);
  return { ...(kept !== undefined && { agentContextId: kept }), ...(openTaskId !== undefined && { openTaskId }) };
}

const awaiting: Readonly<Record<string, { readonly awaits: TaskAwaits; readonly silent: string }>> = {
  input_required: { awaits: "input", silent: "The agent needs more information." },
  auth_required: { awaits: "authorization", silent: "The agent needs an authorization." },
};

function answerOf(
  { status, output_data, error, error_message }: AgentResult,
  { agent, showDetail }: { readonly agent: string; readonly showDetail: boolean },
): AgentAnswer {
  if (status === "SUCCESS") return { ...answerWith(output_data), ...onlyReported([reportedBy(agent, output_data)]) };
  const says = saysOf(error?.data);
  const question = error === undefined ? undefined : awaiting[error.kind];
  if (question !== undefined) return { response_text: says ?? question.silent, awaits: question.awaits };
  const kind = error === undefined ? "agent_failed" : zoneKindOf(error.kind);
  const detail = error?.message ?? error_message ?? "The agent failed and did not say why.";
  const data = {
    agent,
    ...(kind === "agent_failed" && says !== undefined && { agent_says: says }),
    ...(showDetail && { owner_detail: capped(detail) }),
  };
  throw new ZoneError(kind, data, { cause: new AgentResultError(detail) });
}

/** UTF-16 units (`zone-error-data.schema.json`). */
const mostUnits = 2_000;

const capped = (text: string): string =>
  (text.length > mostUnits ? `${text.slice(0, mostUnits - 1)}…` : text).toWellFormed();

/** Returns the agent's own error message; undefined without one. */
function saysOf(data: unknown): string | undefined {
  const says = typeof data === "object" && data !== null && "agent_says" in data ? data.agent_says : undefined;
  return typeof says === "string" && says.trim() !== "" ? capped(says.trim()) : undefined;
}

/** The bridge's error message of a failed agent, for the log. */
class AgentResultError extends Error {
  override readonly name = "AgentResultError";
}
