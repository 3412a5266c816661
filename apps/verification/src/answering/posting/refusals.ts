import { SlackCallError } from "../../slack/slack-call-error.ts";
import { isRefusedForGood } from "./send-once.ts";

/**
 * What a permanent refusal concerns. `thread`: the message that was answered is gone. `place`: the app cannot write there. `content`: another
 * form of the same text can pass.
 */
export type Concern = "thread" | "place" | "content";

const gone: ReadonlySet<string> = new Set(["posted_elsewhere", "invalid_thread_ts", "thread_not_found"]);

/** Refusals that say nothing about the other threads of the channel. */
export const ofOneThread: ReadonlySet<string> = new Set([
  ...gone,
  "cannot_reply_to_message",
  "restricted_action_thread_locked",
]);

const [isArchived, isOutside] = ["the channel is archived", "I am not a member of the channel"];
/** Why the app cannot write in a place, for people. */
const places: Readonly<Record<string, string>> = {
  cannot_reply_to_message: "nobody can reply to that message",
  channel_not_found: isOutside,
  is_archived: isArchived,
  is_inactive: isArchived,
  messages_tab_disabled: "messages to this app are turned off",
  not_in_channel: isOutside,
  restricted_action_thread_locked: "the thread is locked",
  user_not_in_channel: "you are not a member of the channel",
};

/** Returns what a refusal concerns; undefined for an error that can pass. A refusal that is not known is taken for one of the content. */
export function concernOf(error: unknown): Concern | undefined {
  if (!isRefusedForGood(error)) return undefined;
  if (gone.has(error.code)) return "thread";
  return error.code in places || error.code.startsWith("restricted_action") ? "place" : "content";
}

/** Returns why the app cannot write in a place, for people. */
export function placeReason(error: unknown): string {
  return (error instanceof SlackCallError && places[error.code]) || "this workspace does not allow it";
}
