import type { ExecuteTaskParams } from "@crosszone/contracts";
import type { Question } from "../../inbox/records.ts";
import type { ThreadConversation } from "../../inbox/thread-store.ts";
import type { ThreadHistory } from "./thread-history.ts";

/** What surrounds a question. */
export interface TaskContext {
  readonly history: ThreadHistory;
  readonly botToken: string;
  readonly conversation: ThreadConversation;
}

/**
 * Returns the parameters of `execute_task` for a question. Files are described without content or URL; execution reads them from this zone
 * with `bot_token`, a handle.
 */
export function taskParams(
  record: Question,
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
