import type { ExecuteTaskParams, OthersContent, ThreadMessage } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import { type Names, namesIn, withNames } from "../../slack/names.ts";
import { type ReadMessage, readMessage } from "../../slack/reading/read-message.ts";
import type { SlackFile, SlackIdentity, SlackMessage } from "../../slack/slack-api.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";

/**
 * Returns the parameters of `execute_task` for a question. Files are described without content or URL; execution reads them from this zone
 * with `bot_token`, a handle.
 */
export function taskParams(
  record: Question,
  { text, agent, contextId }: { readonly text: string; readonly agent: string | undefined; readonly contextId: string },
  { history, botToken }: { readonly history: ThreadHistory; readonly botToken: string },
): ExecuteTaskParams {
  const { names } = history;
  const { others = [], unreadable = [] } = record;
  return {
    channel: record.channel,
    // A text that an agent wrote goes to it as it is.
    text: record.offered_by === undefined ? withNames(text, names) : text,
    has_quotes: record.has_quotes === true ? true : undefined,
    others: others.length > 0 ? others.map((one) => othersWithNames(one, names)) : undefined,
    unreadable: unreadable.length > 0 ? [...unreadable] : undefined,
    bot_token: botToken,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: history.files.map((file) => ({ ...file })),
    team_id: record.team_id,
    user_id: record.user_id,
    user_name: names.get(record.user_id),
    context_id: contextId,
    agent,
    offered_by: record.offered_by,
    thread: history.messages.length > 0 ? [...history.messages] : undefined,
  };
}

/** What Slack has about a message that its event did not include. */
export interface ThreadHistory {
  /** Earlier messages, oldest first, each with its files. */
  readonly messages: readonly ThreadMessage[];
  /** The files of the message itself. */
  readonly files: readonly SlackFile[];
  /** User ids of the authors in the thread. */
  readonly people: readonly string[];
  /** Names of everyone in the message and in the thread. */
  readonly names: Names;
}

export interface ThreadHistoryOptions {
  /** Timeout, milliseconds. After it, the history contains what was read by then. */
  readonly timeoutMs: number;
  /** Called when the history is incomplete: a call failed, or the timeout expired. */
  readonly onFailure: (error: unknown) => void;
}

const mostMessages = 200;
const mostCharacters = 100_000;
const pageSize = 200;

/**
 * Reads the messages before a reply, the files of a message whose event may lack them, and names. Best effort: after the timeout the question
 * goes on without the rest. Reads no messages when there is nothing to read.
 */
export async function readThreadHistory(
  { slack, directory, identity }: Pick<WorkspaceContext, "slack" | "directory" | "identity">,
  record: Question,
  { timeoutMs, onFailure }: ThreadHistoryOptions,
): Promise<ThreadHistory> {
  const { channel, thread_ts, ts } = record;
  const found: SlackMessage[] = [];
  const isReply = ts !== thread_ts;
  if (isReply || record.files_unknown) {
    await withTimeout(timeoutMs, readPages).catch(onFailure);
  }
  const history = toHistory([...found], record, identity);
  const texts = [`<@${record.user_id}>`, record.text, ...textsOf(record.others), ...history.messages.flatMap(textsIn)];
  const names = await withTimeout(timeoutMs, () => namesIn(texts, directory)).catch((error: unknown): Names => {
    onFailure(error);
    return new Map();
  });
  return { ...history, names, messages: newest(history.messages.map((message) => messageWithNames(message, names))) };

  async function readPages(over: AbortSignal): Promise<void> {
    const range = { channel, thread_ts, latest: ts, ...(isReply ? { limit: pageSize } : { oldest: ts, limit: 1 }) };
    let cursor: string | undefined;
    do {
      const page = await slack.replies({ ...range, cursor });
      found.push(...page.messages);
      cursor = isReply ? page.next_cursor : undefined;
    } while (cursor !== undefined && !over.aborted);
  }
}

function toHistory(
  found: SlackMessage[],
  record: Question,
  { bot_user_id, bot_id }: SlackIdentity,
): Omit<ThreadHistory, "names"> {
  const itself = found.find(({ ts }) => ts === record.ts);
  const earlier = found.filter(({ ts, mark }) => ts !== record.ts && mark?.state !== "working");
  const isOurs = ({ user, bot_id: bot }: SlackMessage): boolean => user === bot_user_id || bot === bot_id;
  const messages = earlier.map((message) =>
    threadMessage(readMessage(message.raw, bot_user_id), { ts: message.ts, bot: isOurs(message) }),
  );
  return {
    messages: newest(messages),
    files: itself === undefined ? record.files : readMessage(itself.raw, bot_user_id).files,
    people: earlier.filter((message) => !isOurs(message)).flatMap(({ user }) => user ?? []),
  };
}

function threadMessage(read: ReadMessage, { ts, bot }: Pick<ThreadMessage, "ts" | "bot">): ThreadMessage {
  const { author, words, hasQuotes, others, files, unreadable } = read;
  const isApp = bot !== true && author.bot_id !== undefined;
  return {
    text: words,
    ts,
    bot,
    user: author.user,
    ...(isApp && { app: true, name: author.name }),
    ...(hasQuotes && { has_quotes: true }),
    ...(others.length > 0 && { others: [...others] }),
    ...(files.length > 0 && { files: files.map((file) => ({ ...file })) }),
    ...(unreadable.length > 0 && { unreadable: [...unreadable] }),
  };
}

/** Returns the thread's root and the newest replies that fit. */
function newest([root, ...replies]: readonly ThreadMessage[]): ThreadMessage[] {
  if (root === undefined) return [];
  let room = mostCharacters - JSON.stringify(root).length;
  const kept = replies
    .slice(1 - mostMessages)
    .toReversed()
    .filter((message) => (room -= JSON.stringify(message).length) >= 0);
  return [root, ...kept.toReversed()];
}

const textsOf = (others: readonly OthersContent[] = []): string[] =>
  others.flatMap(({ text, channel = "" }) => [text, channel]);

/** Returns the texts of a message that need names, its author first. */
const textsIn = ({ user, text, others }: ThreadMessage): string[] => [`<@${user}>`, text, ...textsOf(others)];

function messageWithNames(message: ThreadMessage, names: Names): ThreadMessage {
  const { user = "", text, others, bot } = message;
  const name = message.name ?? (bot === true ? undefined : names.get(user));
  return {
    ...message,
    text: withNames(text, names),
    ...(name !== undefined && { name }),
    ...(others !== undefined && { others: others.map((one) => othersWithNames(one, names)) }),
  };
}

function othersWithNames(content: OthersContent, names: Names): OthersContent {
  const { text, channel } = content;
  return { ...content, text: withNames(text, names), channel: channel && withNames(channel, names) };
}
