import type { ExecuteTaskParams } from "@crosszone/contracts";
import type { AskRecord } from "../inbox/inbox.ts";
import type { ThreadConversation } from "../inbox/thread-store.ts";
import type { ThreadHistory } from "./thread-history.ts";

/** What surrounds a question. */
export interface TaskContext {
  readonly history: ThreadHistory;
  readonly botToken: string;
  readonly conversation: ThreadConversation;
}

/**
 * What the execution zone is told of a question. Files are described, never carried, and never by a URL: with `bot_token`, a handle,
 * it reads them from this zone.
 */
export function taskParams(
  record: AskRecord,
  question: { readonly text: string; readonly agent?: string },
  { history, botToken, conversation }: TaskContext,
): ExecuteTaskParams {
  const agent = question.agent ?? conversation.agent;
  return {
    channel: record.channel,
    text: question.text,
    bot_token: botToken,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: history.files.map((file) => ({ ...file })),
    team_id: record.team_id,
    user_id: record.user_id,
    context_id: conversation.context_id,
    ...(agent !== undefined && { agent }),
    ...(history.messages.length > 0 && { thread: [...history.messages] }),
  };
}
