import type { ExecuteTaskParams, ThreadMessage } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import { messageText } from "../../slack/messages.ts";
import type { SlackApi, SlackFile, SlackIdentity, SlackMessage } from "../../slack/slack-api.ts";

/**
 * Returns the parameters of `execute_task` for a question. Files are described without content or URL; execution reads them from this zone
 * with `bot_token`, a handle.
 */
export function taskParams(
  record: Question,
  { text, agent, contextId }: { readonly text: string; readonly agent: string | undefined; readonly contextId: string },
  { history, botToken }: { readonly history: ThreadHistory; readonly botToken: string },
): ExecuteTaskParams {
  return {
    channel: record.channel,
    text,
    bot_token: botToken,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: history.files.map((file) => ({ ...file })),
    team_id: record.team_id,
    user_id: record.user_id,
    context_id: contextId,
    agent,
    offered_by: record.offered_by,
    thread: history.messages.length > 0 ? [...history.messages] : undefined,
  };
}

/** What Slack has about a message that its event did not include. */
export interface ThreadHistory {
  /** Earlier messages, oldest first. */
  readonly messages: readonly ThreadMessage[];
  /** The files of the message itself. */
  readonly files: readonly SlackFile[];
  /** User ids of the authors in the thread. */
  readonly people: readonly string[];
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
 * Reads the messages before a reply, and the files of a message whose event may lack them. Best effort: after the timeout the question goes
 * on without the rest. Makes no Slack calls when there is nothing to read.
 */
export async function readThreadHistory(
  { slack, identity }: { readonly slack: SlackApi; readonly identity: SlackIdentity },
  record: Question,
  { timeoutMs, onFailure }: ThreadHistoryOptions,
): Promise<ThreadHistory> {
  const { channel, thread_ts, ts } = record;
  const found: SlackMessage[] = [];
  const isReply = ts !== thread_ts;
  if (isReply || record.files_unknown) {
    await withTimeout(timeoutMs, readPages).catch(onFailure);
  }
  return toHistory([...found], record, identity);

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

function toHistory(found: SlackMessage[], record: Question, { bot_user_id, bot_id }: SlackIdentity): ThreadHistory {
  const itself = found.find(({ ts }) => ts === record.ts);
  const earlier = found.filter(({ ts, mark }) => ts !== record.ts && mark?.state !== "working");
  const isOurs = ({ user, bot_id: bot }: SlackMessage): boolean => user === bot_user_id || bot === bot_id;
  return {
    messages: newest(earlier).map((message) => ({
      text: messageText(message.text, bot_user_id),
      ts: message.ts,
      bot: isOurs(message),
      user: message.user,
    })),
    files: itself?.files ?? record.files,
    people: earlier.filter((message) => !isOurs(message)).flatMap(({ user }) => user ?? []),
  };
}

/** Returns the thread's root and the newest replies that fit. */
function newest([root, ...replies]: readonly SlackMessage[]): SlackMessage[] {
  if (root === undefined) return [];
  let room = mostCharacters - root.text.length;
  const kept = replies
    .slice(1 - mostMessages)
    .toReversed()
    .filter(({ text }) => (room -= text.length) >= 0);
  return [root, ...kept.toReversed()];
}
