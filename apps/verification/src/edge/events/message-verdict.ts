import type { ThreadStore } from "../../inbox/thread-store.ts";
import { mentionedUsers } from "../../slack/message-text.ts";
import type { SlackIdentity } from "../../slack/slack-api.ts";
import type { SlackMessageEvent } from "./slack-event.ts";

/** Why a message is not answered. */
export const ignoreReasons = [
  "self",
  "bot",
  "edited",
  "deleted",
  "other_subtype",
  "hidden",
  "incomplete",
  "not_addressed",
] as const;

export type IgnoreReason = (typeof ignoreReasons)[number];

/** A message for this app, with a known place and author. */
export type AddressedMessage = SlackMessageEvent & { channel: string; user: string; ts: string };

export type MessageVerdict =
  { readonly ignored: IgnoreReason } | { readonly ignored?: never; readonly message: AddressedMessage };

const answered: ReadonlySet<string | undefined> = new Set([undefined, "file_share", "thread_broadcast"]);
const changes: ReadonlyMap<string | undefined, IgnoreReason> = new Map([
  ["message_changed", "edited"],
  ["message_deleted", "deleted"],
]);

/**
 * Decides whether a message is for this app, regardless of its author's permissions. It is for every direct message from a person.
 * Elsewhere it is for messages that mention the app, and for replies in its threads that don't address someone else.
 */
export async function judgeMessage(
  event: SlackMessageEvent,
  identity: SlackIdentity,
  isOurs: ThreadStore["has"],
): Promise<MessageVerdict> {
  const reason = unanswerable(event, identity);
  if (reason !== undefined) return { ignored: reason };
  const { channel, user, ts } = event;
  if (channel === undefined || user === undefined || ts === undefined) return { ignored: "incomplete" };
  const message = { ...event, channel, user, ts };
  return (await isAddressed(message, identity, isOurs)) ? { message } : { ignored: "not_addressed" };
}

function unanswerable(event: SlackMessageEvent, identity: SlackIdentity): IgnoreReason | undefined {
  const { user, bot_id, subtype, hidden } = event;
  if (user === identity.bot_user_id || bot_id === identity.bot_id) return "self";
  if (bot_id !== undefined || subtype === "bot_message" || user === "USLACKBOT") return "bot";
  if (!answered.has(subtype)) return changes.get(subtype) ?? "other_subtype";
  return hidden === true ? "hidden" : undefined;
}

async function isAddressed(
  { type, channel, channel_type, thread_ts, text }: AddressedMessage,
  { bot_user_id, team_id }: SlackIdentity,
  isOurs: ThreadStore["has"],
): Promise<boolean> {
  if (type === "app_mention" || channel_type === "im" || channel.startsWith("D")) return true;
  const mentioned = mentionedUsers(text);
  if (mentioned.length > 0) return mentioned.includes(bot_user_id);
  return thread_ts !== undefined && isOurs({ team_id, channel, thread_ts });
}
