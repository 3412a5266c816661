import { randomBytes } from "node:crypto";
import type { ExecuteTaskParams } from "@crosszone/contracts";
import type { AskRecord } from "../inbox/inbox.ts";
import type { ThreadHistory } from "./thread-history.ts";

/**
 * What the execution zone is told of a question. `bot_token` is a fresh handle of 256 random bits that says nothing: the real token
 * does not cross the wall. Files are described, never carried, and never by a URL.
 */
export function taskParams(
  record: AskRecord,
  question: { readonly text: string; readonly agent?: string },
  history: ThreadHistory,
): ExecuteTaskParams {
  return {
    channel: record.channel,
    text: question.text,
    bot_token: `czh_${randomBytes(32).toString("base64url")}`,
    correlation_id: record.correlation_id,
    thread_ts: record.thread_ts,
    attachments: history.files.map((file) => ({ ...file })),
    team_id: record.team_id,
    user_id: record.user_id,
    ...(question.agent !== undefined && { agent: question.agent }),
    ...(history.messages.length > 0 && { thread: [...history.messages] }),
  };
}
