import type { AgentRegistry } from "@crosszone/agent-bridge";
import type {
  AgentRecord,
  AgentResult,
  AgentTask,
  AgentTaskFile,
  Attachment,
  OthersContent,
} from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { teamKey } from "../../store/open-execution-database.ts";
import type { RegisteredAgents } from "../agent-directory.ts";
import type { Agent, AgentMessage, AgentProgress, AgentTaskInput, RunTime } from "../agent.ts";
import { type AgentFiles, fetchLinkedFiles } from "../answer-with.ts";
import { answerOf, questionOf } from "../result-answer.ts";
import type { CallPreviews } from "./call-previews.ts";
import { type TaskCalls, taskHeaders } from "./task-calls.ts";
import { contextIdOf, type Conversation, type Conversations } from "../conversations.ts";
import { callIdsOf, isAuthorization, lookOf, pauseOf, responseTask } from "./agent-pause.ts";
import { type FileLinking, filesForAgent, linksOfTask, notNamedBefore, sayLeftOut } from "./files-for-agent.ts";

/** Provides the registry's enabled agents as agents of this zone. */
export function createBridgedAgents(registry: AgentRegistry, deps: BridgedAgentDeps): RegisteredAgents {
  const agentOf = (record: AgentRecord) => createBridgedAgent(record, deps);
  return {
    find: async (name) => {
      const record = await registry.find(name);
      return record?.enabled === true ? agentOf(record) : undefined;
    },
    list: async () => (await registry.listEnabled()).map(agentOf),
  };
}

export interface BridgedAgentDeps {
  readonly calls: TaskCalls;
  readonly conversations: { readonly find: Conversations["find"]; readonly keep: Conversations["keep"] };
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
  const { name, side_effects: sideEffects = false, send_thread: asksForThread = false } = record;
  return {
    name,
    ...describedBy(record),
    repeatable: true,
    describe: async () => ({ sideEffects }),
    progress,
    conversationOf: (threadContextId) => contextIdOf(threadContextId, name),
    run: async (input, context) => {
      const { signal, traceparent, preview } = context;
      if (openPreview !== undefined) preview?.showsProgress(true);
      const team = input.team_id === undefined ? undefined : teamKey(input.team_id);
      const contextId = input.context_id === undefined ? undefined : contextIdOf(input.context_id, name);
      const { inputs, now, deadline } = context;
      const look = inputs && lookOf(name, input.task_id, { inputs, now: now() });
      const { before: known, keep = conversations.keep } = context.conversation ?? {};
      const isKnown = known !== undefined && look === undefined;
      const before = isKnown ? known : contextId === undefined ? {} : await conversations.find(contextId);
      if (look?.inThread === true && !isFollowing(before, look.task)) return { response_text: repliedTo };
      if (look === undefined && before.isFollowed === true && contextId !== undefined) {
        const { isFollowed: _, ...conversation } = before;
        await conversations.keep({ contextId, conversation, team });
      }
      const links =
        fileLinks && linksOfTask(fileLinks, { task_id: input.parent_task_id ?? input.task_id, team }, context);
      const response = look?.task ?? (inputs && (await responseTask(name, input.task_id, inputs)));
      const attachments = response === undefined ? input.attachments : [];
      const { files, leftOut } = await filesForAgent(attachments, context, links);
      const place = { context_id: before.agentContextId ?? contextId, open_task_id: before.openTaskId };
      // An agent keeps what it was told by the context id; one of simple-a2a gets no such id.
      const knows = before.openTaskId !== undefined || (before.hasThread && record.protocol !== "simple-a2a");
      const sendsThread = asksForThread && !knows;
      const how = { ...place, files, sendsThread, now, deadline };
      const task = { ...agentTaskOf(name, input, how), ...response };
      const close = preview && openPreview?.(task.task_id, preview);
      const parent = input.parent_task_id ?? (response && input.task_id);
      const headers = taskHeaders({ team, traceparent, hops: input.hops, follows: look !== undefined });
      const about = { parent, headers, onStored: preview?.showsProgress };
      const result = await calls.call(task, signal, about).finally(close);
      if (look?.goesOn(result) === true) {
        if (!look.isOver) throw look.again;
        return answerOf(result, { agent: name, showDetail });
      }
      if (
        look?.inThread === true &&
        contextId !== undefined &&
        !isFollowing(await conversations.find(contextId), look.task)
      )
        return { response_text: repliedTo };
      const isPaused = asksPeople(result) || (isOfProgram(input) && questionOf(result) !== undefined);
      // A person's reply in the thread continues the same task of the agent.
      const isOwn = contextId !== undefined && input.parent_task_id === undefined;
      const inThread = !isPaused && isOwn && isAuthorization(result);
      if (contextId !== undefined) {
        const after = {
          ...conversationAfter(before, result, { asksForThread, isPaused }),
          ...(inThread && { isFollowed: true as const }),
        };
        // A pause does not store what ends with the task.
        const keepNow = isPaused || inThread ? conversations.keep : keep;
        if (JSON.stringify(after) !== JSON.stringify(before)) await keepNow({ contextId, conversation: after, team });
      }
      if (isPaused || inThread) throw pauseOf(result, task, { inputs, now: now(), inThread });
      const output = await fetchLinkedFiles(result.output_data, agentFiles && { ...agentFiles, agent: record, signal });
      const answer = answerOf({ ...result, output_data: output }, { agent: name, showDetail });
      // The bridge did not send these, because the agent's card does not accept their types.
      const refused = result.files_left_out?.map((file) => ({
        name: file,
        reason: "of a type that it does not accept",
      }));
      const notSent = notNamedBefore(leftOut.concat(refused ?? []), input);
      return sayLeftOut(answer, name, { files: notSent, parts: input.unreadable });
    },
    cancelElsewhere: ({ correlation_id, ...task }) => {
      for (const task_id of callIdsOf(task.task_id, task.paused?.pauses ?? 0))
        calls.cancel({ task_id, correlation_id }, "canceled");
    },
  };
}

/** Describes an agent: by its registration, and where that says nothing by its card. */
function describedBy({ name, description, card }: AgentRecord): Pick<Agent, "description" | "skills" | "ownWords"> {
  if (card === undefined) return { description, skills: [] };
  const own = card.description || (card.name === name ? "" : card.name);
  return description.trim() === ""
    ? { description: own, skills: card.skills, ownWords: "all" }
    : { description, skills: card.skills, ownWords: "skills" };
}

/** Says that a reply in the thread has continued what this task waited for. */
const repliedTo = "_This went on with your reply._";

/** Returns whether the paused task that follows an agent's task still does: no reply has taken over. */
const isFollowing = ({ isFollowed, openTaskId }: Conversation, { open_task_id }: Partial<AgentTask>): boolean =>
  isFollowed === true && openTaskId === open_task_id;

/** Returns whether a result asks people in a structured form, so that a text is no answer. */
const asksPeople = ({ error }: AgentResult): boolean =>
  error?.kind === "input_required" && ownMember(error.data, "asks") !== undefined;

/**
 * Returns whether a program asked the agent itself, not through another agent. Its task goes on with its reply, while a person's next message is
 * a task of its own.
 */
const isOfProgram = ({ hops, parent_task_id }: AgentTaskInput): boolean =>
  hops !== undefined && parent_task_id === undefined;

/**
 * A question leaves the agent's task open; any other result closes it, also one that pauses the task, because the next message of the
 * conversation is no answer to that. An unreachable agent changes nothing.
 */
function conversationAfter(
  before: Conversation,
  result: AgentResult,
  { asksForThread, isPaused }: { readonly asksForThread: boolean; readonly isPaused: boolean },
): Conversation {
  const { status, error, context_id } = result;
  const open_task_id = isPaused ? undefined : result.open_task_id;
  const kept = context_id ?? before.agentContextId;
  const isOver = status === "SUCCESS" || error === undefined || !error.retryable;
  const openTaskId = open_task_id ?? (isOver ? undefined : before.openTaskId);
  const hasThread = asksForThread && (isOver || before.hasThread === true);
  return { agentContextId: kept, openTaskId, hasThread: hasThread ? true : undefined };
}

/**
 * What came along with a text, as third-party agents and workflows get it: with names of people, apps and channels, and descriptions of files,
 * but without ids and Slack's URLs.
 */
export function cameAlong({ thread, attachments, others = [], has_quotes = false, unreadable = [] }: AgentMessage) {
  const withoutIds = ({ user: _user, url, ...content }: OthersContent) =>
    content.kind === "preview" && url !== undefined ? { ...content, url } : content;
  const described = ({ id: _id, url: _url, ...file }: Attachment) => file;
  return {
    thread: thread.map(({ user: _user, ...said }) => ({
      ...said,
      ...(said.others !== undefined && { others: said.others.map(withoutIds) }),
      ...(said.files !== undefined && { files: said.files.map(described) }),
    })),
    attachments: attachments.map(described),
    others: others.map(withoutIds),
    has_quotes,
    unreadable,
  };
}

/**
 * Converts a task to a bus message. Run and task have the zone's task id, so bridge and agent recognize a task that runs again in any process.
 * `how`: its place in the agent's conversation, with the agent's task that this message continues; the attachments that are sent with contents
 * or a link; and whether the agent gets the earlier messages of the thread.
 */
export function agentTaskOf(
  agentName: string,
  input: AgentTaskInput,
  how: RunTime & {
    readonly context_id?: string | undefined;
    readonly open_task_id?: string | undefined;
    readonly files?: readonly AgentTaskFile[];
    readonly sendsThread?: boolean;
  },
): AgentTask {
  const { task_id, correlation_id, text, offered_by } = input;
  const { context_id, open_task_id, files = [], sendsThread = false, now, deadline } = how;
  const { attachments: _sent, thread, ...besides } = cameAlong(input);
  const came = { ...besides, thread: sendsThread ? thread : [] };
  const present = Object.entries(came).filter(
    ([, value]) => value === true || (Array.isArray(value) && value.length > 0),
  );
  return {
    run_id: task_id,
    task_id,
    agent_name: agentName,
    // No member is undefined here: an agent gets other bytes for a member that only a stored task loses.
    input_data: { text, ...(offered_by !== undefined && { offered_by }), ...Object.fromEntries(present) },
    correlation_id,
    context_id,
    open_task_id,
    files: files.length > 0 ? [...files] : undefined,
    timestamp: now().toISOString(),
    deadline: deadline?.toISOString(),
  };
}
