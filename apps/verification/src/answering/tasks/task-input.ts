import type { ExecuteTaskParams, ThreadMessage } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import { type AccessPolicy, postsForPerson } from "../../policy/access-policy.ts";
import { type Names, namesIn, withNames } from "../../slack/names.ts";
import { readMessage } from "../../slack/reading/read-message.ts";
import type { SlackFile, SlackMessage } from "../../slack/slack-api.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { TaskFiles } from "./task-files.ts";

/**
 * Returns the parameters of `execute_task` for a question. Files are described without content or URL; execution reads them from this zone
 * with `bot_token`, a handle.
 */
export function taskParams(
  record: Question,
  { text, agent, contextId }: { readonly text: string; readonly agent: string | undefined; readonly contextId: string },
  { files, names, botToken }: { readonly files: TaskFiles; readonly names: Names; readonly botToken: string },
): ExecuteTaskParams {
  const { channel, has_quotes, others = [], unreadable = [] } = record;
  const said = contentWithNames({ text, others: listed(others) }, names);
  return {
    channel,
    ...said,
    // A text that an agent wrote goes to it as it is.
    text: record.offered_by === undefined ? said.text : text,
    has_quotes: has_quotes === true || undefined,
    unreadable: listed(unreadable),
    bot_token: botToken,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: [...files.attachments],
    team_id: record.team_id,
    user_id: record.user_id,
    user_name: names.get(record.user_id),
    context_id: contextId,
    agent,
    offered_by: record.offered_by,
    thread: listed(files.thread),
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
  readonly policy: Pick<AccessPolicy, "apps">;
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
  { policy, timeoutMs, onFailure }: ThreadHistoryOptions,
): Promise<ThreadHistory> {
  const { channel, thread_ts, ts } = record;
  const found: SlackMessage[] = [];
  const isReply = ts !== thread_ts;
  if (isReply || record.files_unknown) {
    await withTimeout(timeoutMs, readPages).catch(onFailure);
  }
  const { messages, ...history } = toHistory([...found], record, { identity, policy });
  const newestFirst = [{ ...record, user: record.user_id }, ...messages.toReversed()];
  const texts = newestFirst.flatMap(({ user, text, others = [] }) => {
    return [`<@${user}>`, text, ...others.flatMap((one) => [one.text, one.channel ?? ""])];
  });
  const names = await namesIn(texts, directory);
  const named = messages.map((message) => ({
    ...message,
    ...contentWithNames(message, names),
    name: message.name ?? (message.bot === true ? undefined : names.get(message.user ?? "")),
  }));
  return { ...history, names, messages: newest(named) };

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

type ReadBy = Pick<WorkspaceContext, "identity"> & Pick<ThreadHistoryOptions, "policy">;

function toHistory(
  found: SlackMessage[],
  record: Question,
  { identity: { bot_user_id, bot_id }, policy }: ReadBy,
): Omit<ThreadHistory, "names"> {
  const itself = found.find(({ ts }) => ts === record.ts);
  const earlier = found.filter(({ ts, mark }) => ts !== record.ts && mark?.state !== "working");
  const isOurs = ({ user, bot_id: bot }: SlackMessage): boolean => user === bot_user_id || bot === bot_id;
  const messages = earlier.map((message): ThreadMessage => {
    const { author, words, hasQuotes, others, files, unreadable } = readMessage(message.raw, bot_user_id);
    const bot = isOurs(message);
    const app = (!bot && author.bot_id !== undefined && !postsForPerson(policy, author)) || undefined;
    return {
      text: words,
      ts: message.ts,
      bot,
      user: author.user,
      app,
      name: app && author.name,
      has_quotes: hasQuotes || undefined,
      others: listed(others),
      files: listed(files.map((file) => ({ ...file }))),
      unreadable: listed(unreadable),
    };
  });
  return {
    messages: newest(messages),
    files: itself === undefined ? record.files : readMessage(itself.raw, bot_user_id).files,
    people: earlier.filter((message) => !isOurs(message)).flatMap(({ user }) => user ?? []),
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

/** An empty list says nothing. */
const listed = <Item>(items: readonly Item[]): Item[] | undefined => (items.length > 0 ? [...items] : undefined);

type Content = Pick<ThreadMessage, "text" | "others">;

function contentWithNames({ text, others }: Content, names: Names): Content {
  const named = others?.map((one) => {
    const { channel } = one;
    return { ...one, text: withNames(one.text, names), channel: channel && withNames(channel, names) };
  });
  return { text: withNames(text, names), others: named };
}
