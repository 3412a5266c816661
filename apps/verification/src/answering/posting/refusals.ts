import { SlackCallError } from "../../slack/slack-call-error.ts";
import { isRefusedForGood } from "./send-once.ts";

/**
 * What a permanent refusal concerns. `thread`: the message that was answered is gone. `place`: the app cannot write there. `content`: another
 * form of the same text can pass.
 */
export type Concern = "thread" | "place" | "content";

const concerns: Readonly<Record<string, Concern>> = {
  posted_elsewhere: "thread",
  invalid_thread_ts: "thread",
  thread_not_found: "thread",
  cannot_reply_to_message: "place",
  channel_not_found: "place",
  is_archived: "place",
  is_inactive: "place",
  messages_tab_disabled: "place",
  not_in_channel: "place",
  user_not_in_channel: "place",
};

/** Returns what a refusal concerns; undefined for an error that can pass. A refusal that is not known is taken for one of the content. */
export function concernOf(error: unknown): Concern | undefined {
  if (!isRefusedForGood(error)) return undefined;
  return concerns[error.code] ?? (error.code.startsWith("restricted_action") ? "place" : "content");
}

const reasons: Readonly<Record<string, string>> = {
  cannot_reply_to_message: "nobody can reply to that message",
  is_archived: "the channel is archived",
  is_inactive: "the channel is archived",
  not_in_channel: "I am not a member of the channel",
  channel_not_found: "I am not a member of the channel",
  restricted_action_thread_locked: "the thread is locked",
};

/** Returns why the app cannot write in a place, for people. */
export function placeReason(error: unknown): string {
  return (error instanceof SlackCallError && reasons[error.code]) || "this workspace does not allow it";
}
