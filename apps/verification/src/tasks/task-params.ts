import type { ExecuteTaskParams } from "@crosszone/contracts";
import type { AskRecord } from "../inbox/inbox.ts";
import type { ThreadHistory } from "./thread-history.ts";

/**
 * What the execution zone is told of a question. Files are described, never carried, and never by a URL: with `bot_token`, a handle,
 * it reads them from this zone.
 */
export function taskParams(
  record: AskRecord,
  question: { readonly text: string; readonly agent?: string },
  { history, botToken }: { readonly history: ThreadHistory; readonly botToken: string },
): ExecuteTaskParams {
  return {
    channel: record.channel,
    text: question.text,
    bot_token: botToken,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: history.files.map((file) => ({ ...file })),
    team_id: record.team_id,
    user_id: record.user_id,
    ...(question.agent !== undefined && { agent: question.agent }),
    ...(history.messages.length > 0 && { thread: [...history.messages] }),
  };
}
