import { readCommand } from "../asking/message-command.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import { type AccessPolicy, followsIn, postsForPerson } from "../policy/rules.ts";
import { isOwnMessage, type ReadMessage, readMessage } from "../slack/reading/read-message.ts";
import type { SlackIdentity, SlackThread } from "../slack/slack-api.ts";
import { type AddressedMessage, isWritten, readMessageEvent, type SlackMessageEvent } from "./slack-event.ts";

/** Why a message is not answered. */
export const ignoreReasons = [
  "self",
  "bot",
  "app",
  "edited",
  "deleted",
  "other_subtype",
  "hidden",
  "incomplete",
  "not_addressed",
] as const;

type IgnoreReason = (typeof ignoreReasons)[number];

/** What an event about a message means. */
export type MessageMeaning =
  | { readonly kind: "ask" | "stop" | "quiet"; readonly message: AddressedMessage }
  | {
      readonly kind: "deletion";
      readonly channel: string;
      readonly ts: string;
      readonly thread_ts?: string;
      readonly user?: string;
      /** False if the message was not for the app when it was deleted. */
      readonly mayAsk: boolean;
    }
  | Edit
  | { readonly kind: "ignored"; readonly reason: IgnoreReason };

/** A message that was edited. */
export interface Edit {
  readonly kind: "edit";
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  /** Slack's timestamp of the edit. */
  readonly edited_ts: string;
  /** True if it mentions the app only now. */
  readonly addsMention: boolean;
  /** Resolves with true if it was for the app before, too: when it was written. */
  readonly wasAsking: () => Promise<boolean>;
  /** Judges the message as it is now, as a new one. */
  readonly judge: () => Promise<MessageMeaning>;
}

/** What the meaning of a message depends on, besides the message. */
interface MeaningContext {
  readonly identity: SlackIdentity;
  readonly policy: AccessPolicy;
  /** Called only if the meaning depends on the thread. */
  readonly lookUp: ThreadStore["lookUp"];
  /** Returns true if the first message of a thread was asked. */
  readonly wasAsked: (thread: SlackThread) => Promise<boolean>;
  /** Returns true if the message is a word or two in a thread that waits for its author's decision. */
  readonly isAwaited: (message: AddressedMessage) => Promise<boolean>;
}

const ignored = (reason: IgnoreReason): MessageMeaning => ({ kind: "ignored", reason });

/**
 * Decides what an event about a message means, regardless of its author's permissions. Every direct message from a person asks. Elsewhere
 * a message asks if it mentions the app, outside quotations and code, or if it is a reply in a thread that follows its author and addresses
 * no one else.
 */
export async function judgeMessage(event: SlackMessageEvent, context: MeaningContext): Promise<MessageMeaning> {
  const deleted = deletedTs(event);
  if (deleted !== undefined) return judgeDeletion(event, deleted, context);
  if (event.subtype === "message_deleted") return ignored("deleted");
  return event.subtype === "message_changed" ? judgeEdit(event, context) : judgeWritten(event, context);
}

async function judgeWritten(event: SlackMessageEvent, context: MeaningContext): Promise<MessageMeaning> {
  const { identity, policy } = context;
  const reason = unanswerable(event, context);
  if (reason !== undefined) return ignored(reason);
  const { channel, user, ts, thread_ts, channel_type, edited } = event;
  if (channel === undefined || user === undefined || ts === undefined) return ignored("incomplete");
  const read = readMessage(event, identity.bot_user_id);
  const message = { ...event, channel, user, ts, read };
  const isDirect = channel_type === "im" || channel.startsWith("D");
  const isMentioned = read.mentions.includes(identity.bot_user_id) || isUnseenMention(event, identity);
  const isForOthers = !isMentioned && read.mentions.length > 0;
  if (!isDirect && (isForOthers || (!isMentioned && thread_ts === undefined))) return ignored("not_addressed");
  const word = wordOf(read, identity);
  const isAsked = isDirect || isMentioned;
  const thread =
    isAsked && edited === undefined
      ? undefined
      : await context.lookUp({ team_id: identity.team_id, channel, thread_ts: thread_ts ?? ts, user_id: user });
  // Slack sends a mention again when it is edited. Its claim may be gone.
  if (edited !== undefined && thread?.isAnswered === true) return ignored("edited");
  const mode = followsIn(policy, channel);
  const isFollowed =
    mode === "everybody" ? thread?.follows !== "nobody" : mode === "requester" && thread?.follows === "author";
  const isForApp = isAsked || isFollowed;
  // Anyone in the thread can end what disturbs it.
  if (word === "quiet" && !isDirect && thread_ts !== undefined && (isMentioned || thread?.follows !== "nobody"))
    return { kind: "quiet", message };
  if (word === "stop" && (isForApp || thread?.isOpen === true)) return { kind: "stop", message };
  return isForApp || (await context.isAwaited(message)) ? { kind: "ask", message } : ignored("not_addressed");
}

/** Returns true if Slack says that the app is mentioned, and neither the text nor the blocks show where. */
function isUnseenMention({ type, text, blocks }: SlackMessageEvent, { bot_user_id }: SlackIdentity): boolean {
  return type === "app_mention" && !JSON.stringify([text, blocks]).includes(bot_user_id);
}

/** Returns the command of a message that is no question. A message with more than words is a question. */
function wordOf({ words, files, others }: ReadMessage, { bot_user_id }: SlackIdentity): "stop" | "quiet" | undefined {
  const { kind } = readCommand(words.replaceAll(`<@${bot_user_id}>`, ""));
  const isOnlyWords = files.length === 0 && others.length === 0;
  return isOnlyWords && (kind === "stop" || kind === "quiet") ? kind : undefined;
}

function unanswerable(event: SlackMessageEvent, { identity, policy }: MeaningContext): IgnoreReason | undefined {
  const { user, bot_id, app_id = event.bot_profile?.app_id, subtype, hidden } = event;
  if (isOwnMessage({ user, bot_id }, identity)) return "self";
  if (subtype === "bot_message" || user === "USLACKBOT") return "bot";
  if (bot_id !== undefined && !postsForPerson(policy, { user, app_id })) return user === undefined ? "bot" : "app";
  if (!isWritten(event)) return "other_subtype";
  return hidden === true ? "hidden" : undefined;
}

/** Slack keeps a deleted message that has replies as a tombstone. */
function deletedTs({ subtype, deleted_ts, message }: SlackMessageEvent): string | undefined {
  if (subtype === "message_deleted") return deleted_ts;
  const ts = message?.["ts"];
  const isTombstone = subtype === "message_changed" && message?.["subtype"] === "tombstone";
  return isTombstone && typeof ts === "string" ? ts : undefined;
}

async function judgeDeletion(
  { channel, channel_type, previous_message: before }: SlackMessageEvent,
  ts: string,
  context: MeaningContext,
): Promise<MessageMeaning> {
  if (channel === undefined) return ignored("incomplete");
  const was = before && readMessageEvent({ ...before, type: "message", channel, channel_type, edited: undefined });
  const mayAsk = was === undefined || (await judgeWritten(was, context)).kind === "ask";
  return { kind: "deletion", channel, ts, thread_ts: was?.thread_ts, user: was?.user, mayAsk };
}

/**
 * Decides what a change of a message is: an edit by its author, unless it changes nothing that could have been asked. Previews and detected
 * languages are changes too. https://docs.slack.dev/reference/events/message/message_changed
 */
function judgeEdit(
  { message, previous_message: before, channel, channel_type }: SlackMessageEvent,
  context: MeaningContext,
): MessageMeaning {
  const { bot_user_id } = context.identity;
  const { user: editor, ts: edited_ts } = (message?.["edited"] ?? {}) as Readonly<Record<string, unknown>>;
  const { ts: known } = (before?.["edited"] ?? {}) as Readonly<Record<string, unknown>>;
  if (message === undefined || typeof edited_ts !== "string" || edited_ts === known) return ignored("edited");
  const now = readMessageEvent({ ...message, type: "message", channel, channel_type, edited: undefined });
  if (now?.channel === undefined || now.ts === undefined || now.user === undefined) return ignored("incomplete");
  if (typeof editor === "string" && editor !== now.user) return ignored("edited");
  const isMentioned = (one: Readonly<Record<string, unknown>>): boolean =>
    readMessage(one, bot_user_id).mentions.includes(bot_user_id);
  const wasMentioned = before === undefined || isMentioned(before);
  const addsMention = !wasMentioned && isMentioned(message);
  const isDirect = channel_type === "im" || now.channel.startsWith("D");
  if (!wasMentioned && !addsMention && !isDirect && now.thread_ts === undefined) return ignored("edited");
  const { channel: place, ts, user } = now;
  const was = before && readMessageEvent({ ...before, type: "message", channel, channel_type, edited: undefined });
  const wasAsking = async (): Promise<boolean> => {
    const lookUp: MeaningContext["lookUp"] = async (thread) => {
      const there = await context.lookUp(thread);
      const isOld = there.since <= Number(ts) * 1_000 || (await context.wasAsked(thread));
      return isOld ? there : { ...there, isOpen: false, follows: "nobody" };
    };
    return was !== undefined && (await judgeWritten(was, { ...context, lookUp })).kind === "ask";
  };
  const judge = (): Promise<MessageMeaning> => judgeWritten(now, context);
  return { kind: "edit", channel: place, ts, user, edited_ts, addsMention, wasAsking, judge };
}
