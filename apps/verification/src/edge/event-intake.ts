import { randomUUID } from "node:crypto";
import { isOneWord, readCommand } from "../asking/message-command.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { StoreRetry } from "../inbox/record-ends.ts";
import {
  foundRecord,
  headOf,
  type InboxRecord,
  messageClaim,
  type Question,
  type TurnedAwayRecord,
} from "../inbox/records.ts";
import type { ThreadQueue, ThreadStore } from "../inbox/thread-store.ts";
import { type AccessPolicy, followsIn, postsForPerson } from "../policy/access-policy.ts";
import { type ReadMessage, readMessage } from "../slack/reading/read-message.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import {
  type NewHead,
  readMessageEvent,
  type SlackEnvelope,
  type SlackMessageEvent,
  teamsOf,
  unwrittenRecord,
  workspaceOf,
} from "./slack-event.ts";

/** Why a message is not answered. */
const ignoreReasons = [
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

/** A message for this app, with a known place and author, and what it says. */
type AddressedMessage = SlackMessageEvent & {
  readonly channel: string;
  readonly user: string;
  readonly ts: string;
  readonly read: ReadMessage;
};

/** What an event about a message means. */
type MessageMeaning =
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
  | { readonly kind: "ignored"; readonly reason: IgnoreReason };

/** What the meaning of a message depends on, besides the message. */
interface MeaningContext {
  readonly identity: SlackIdentity;
  readonly policy: AccessPolicy;
  /** Called only if the meaning depends on the thread. */
  readonly lookUp: ThreadStore["lookUp"];
}

const answeredSubtypes: ReadonlySet<string | undefined> = new Set([undefined, "file_share", "thread_broadcast"]);
const ignored = (reason: IgnoreReason): MessageMeaning => ({ kind: "ignored", reason });

/**
 * Decides what an event about a message means, regardless of its author's permissions. Every direct message from a person asks. Elsewhere
 * a message asks if it mentions the app, outside quotations and code, or if it is a reply in a thread that follows its author and addresses
 * no one else.
 */
async function judgeMessage(event: SlackMessageEvent, context: MeaningContext): Promise<MessageMeaning> {
  const deleted = deletedTs(event);
  if (deleted !== undefined) return judgeDeletion(event, deleted, context);
  if (event.subtype === "message_deleted") return ignored("deleted");
  if (event.subtype !== "message_changed") return judgeWritten(event, context);
  const edited = addingMention(event, context.identity);
  return edited === undefined ? ignored("edited") : judgeWritten(edited, context);
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
  const word = wordOf(read);
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
  return isForApp ? { kind: "ask", message } : ignored("not_addressed");
}

/** Returns true if Slack says that the app is mentioned, and neither the text nor the blocks show where. */
function isUnseenMention({ type, text, blocks }: SlackMessageEvent, { bot_user_id }: SlackIdentity): boolean {
  return type === "app_mention" && !JSON.stringify([text, blocks]).includes(bot_user_id);
}

/** Returns the command of a message that is no question. A message with more than words is a question. */
function wordOf({ words, files, others }: ReadMessage): "stop" | "quiet" | undefined {
  const { kind } = readCommand(words);
  const isOnlyWords = files.length === 0 && others.length === 0;
  return isOnlyWords && (kind === "stop" || kind === "quiet") ? kind : undefined;
}

function unanswerable(event: SlackMessageEvent, { identity, policy }: MeaningContext): IgnoreReason | undefined {
  const { user, bot_id, app_id = event.bot_profile?.app_id, subtype, hidden } = event;
  if (user === identity.bot_user_id || bot_id === identity.bot_id) return "self";
  if (subtype === "bot_message" || user === "USLACKBOT") return "bot";
  if (bot_id !== undefined && !postsForPerson(policy, { user, app_id })) return user === undefined ? "bot" : "app";
  if (!answeredSubtypes.has(subtype)) return "other_subtype";
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
 * Returns the message of an edit that first adds the mention of the app. Other edits change no question; neither do previews and detected
 * languages, which are changes too.
 */
function addingMention(
  { message, previous_message: before, channel, channel_type }: SlackMessageEvent,
  { bot_user_id }: SlackIdentity,
): SlackMessageEvent | undefined {
  if (message?.["edited"] === undefined || before === undefined) return undefined;
  const isMentioned = (one: Readonly<Record<string, unknown>>): boolean =>
    readMessage(one, bot_user_id).mentions.includes(bot_user_id);
  if (isMentioned(before) || !isMentioned(message)) return undefined;
  return readMessageEvent({ ...message, type: "message", channel, channel_type, edited: undefined });
}

/** The outcome of an event: answered, a duplicate, or the reason why it is ignored. */
export const eventVerdicts = [
  "accepted",
  "duplicate",
  "foreign_team",
  "foreign_author",
  "not_installed",
  "installation_ended",
  "wrong_app",
  "unknown_event",
  ...ignoreReasons,
] as const;

export type EventVerdict = (typeof eventVerdicts)[number];

export interface IntakeResult {
  readonly verdict: EventVerdict;
  /** Set if the event became a record, or would have. */
  readonly record?: InboxRecord;
  /** Set if another question of the same thread is still open. */
  readonly queued?: true;
}

/** Receives an event in its workspace. */
export type EventIntake = (
  workspace: WorkspaceContext,
  envelope: SlackEnvelope,
  reception: {
    readonly retryStore: StoreRetry;
    readonly traceparent?: string;
    /** Set if a sweep found the message. With a `missed` reason, its question is only listed. */
    readonly found?: { readonly missed: string | undefined };
  },
) => Promise<IntakeResult>;

/**
 * Decides what an event means and stores the resulting record. It calls only the zone's own database, within the time limit of
 * `retryStore`, and rejects if the record may not be stored.
 *
 * A reply without a mention is ignored if it arrives before the message that brings the app into its thread, although Slack does not
 * guarantee the order. Answering it later would require storing messages between people in threads without the app.
 */
export function createEventIntake(inbox: Inbox, threads: ThreadStore): EventIntake {
  return (workspace, envelope, reception) => {
    const { identity } = workspace;
    const event = readMessageEvent(envelope.event);
    const claims = claimsOfEvent(envelope, event ?? {}, identity);
    if (event?.type === "message")
      inbox.recent.tell(claims.at(-1) ?? "", () => readMessage(event, identity.bot_user_id).files);
    return inbox.recent.once(claims, () => receive(workspace, { envelope, event }, reception));
  };

  async function receive(
    workspace: WorkspaceContext,
    { envelope, event }: { readonly envelope: SlackEnvelope; readonly event: SlackMessageEvent | undefined },
    { retryStore, traceparent, found }: Parameters<EventIntake>[2],
  ): Promise<IntakeResult> {
    const { identity, policy, policies, clock, limits } = workspace;
    const lookUp: typeof threads.lookUp = (place) => retryStore(() => threads.lookUp(place));
    const meaning = event && (await judgeMessage(event, { identity, policy: policy.current(), lookUp }));
    if (meaning?.kind === "ignored") return { verdict: meaning.reason };
    // What it would stop is over.
    if (meaning?.kind === "stop" && found?.missed !== undefined) return { verdict: "duplicate" };
    const head = {
      request_id: randomUUID(),
      correlation_id: randomUUID(),
      received_at: clock.now(),
      traceparent,
      claims: eventClaims(envelope.event_id),
      team_id: identity.team_id,
      org_id: workspaceOf(envelope).org_id,
      teams: teamsOf(envelope, identity),
    };
    const read =
      meaning === undefined
        ? unwrittenRecord(envelope, head, { identity, policy: policy.current() })
        : meaning.kind === "deletion"
          ? await deletionRecord(inbox, meaning, { head, retryStore })
          : messageRecord(meaning.kind, meaning.message, head);
    if (read === undefined) return { verdict: meaning === undefined ? "unknown_event" : "deleted" };
    const { denial } = await retryStore(() => policies.atIntake(read));
    if (denial !== undefined)
      return { verdict: denial.reason === "foreign_author" ? "foreign_author" : "foreign_team" };
    const { record, queued } =
      read.kind !== "ask"
        ? { record: read }
        : found === undefined
          ? intoQueue(read, await retryStore(() => inbox.queueIn(read)), limits.MAX_WAITING_PER_THREAD)
          : { record: foundRecord(read, found.missed) };
    const verdict = await retryStore(() => inbox.accept(record));
    if (verdict === "accepted" || meaning?.kind !== "deletion") return { verdict, record, queued };
    // The message came first, and has its claim.
    const later = { ...record, claims: [...head.claims, `deleted ${record.claims.at(-1)}`] };
    return { verdict: await retryStore(() => inbox.accept(later)), record };
  }
}

/** Returns what an event claims, by what it says of itself: its id and, unless it changes a message, the message. */
function claimsOfEvent(
  { event_id }: SlackEnvelope,
  { channel, ts, subtype, edited }: Partial<SlackMessageEvent>,
  { team_id }: SlackIdentity,
): readonly string[] {
  const isMessage = channel !== undefined && ts !== undefined && answeredSubtypes.has(subtype) && edited === undefined;
  return [...eventClaims(event_id), ...(isMessage ? [messageClaim(team_id, channel, ts)] : [])];
}

const eventClaims = (id: string | undefined): readonly string[] => (id === undefined ? [] : [`event ${id}`]);

/**
 * Returns the record of a question for its thread: itself, or if the thread has no room, what remains of it: enough to notify its author. It
 * keeps the claims, so that the message's second event is rejected too.
 */
function intoQueue(
  question: Question,
  { waiting, inWork, answered }: ThreadQueue,
  mostWaiting: number,
): { readonly record: Question | TurnedAwayRecord; readonly queued?: true | undefined } {
  if (waiting + inWork === 0) return { record: question };
  const { text, files, others } = question;
  const isReply = waiting + inWork === answered;
  const one_word = !isReply && files.length === 0 && others === undefined && isOneWord(text);
  if (!one_word && waiting < mostWaiting) return { record: question, queued: true };
  const { request_id, claims } = question;
  return { record: { ...headOf(question), request_id, claims, kind: "turned_away", one_word } };
}

function messageRecord(kind: "ask" | "stop" | "quiet", message: AddressedMessage, head: NewHead): InboxRecord {
  const { channel, user, ts, thread_ts, type, user_team, team, read } = message;
  const record = {
    ...head,
    claims: [...head.claims, messageClaim(head.team_id, channel, ts)],
    channel,
    thread_ts: thread_ts ?? ts,
    in_thread: thread_ts !== undefined,
    user_id: user,
    author_teams: [...new Set([user_team, team])].filter((home) => home !== undefined),
  };
  const whole_channel = thread_ts === undefined && channel.startsWith("D");
  if (kind !== "ask") return { ...record, kind: "stop", whole_channel, written: true, quiets: kind === "quiet" };
  const { words: text, files, others, hasQuotes, unreadable } = read;
  const files_unknown = type === "app_mention" && files.length === 0;
  return {
    ...record,
    kind,
    ts,
    text,
    files,
    files_unknown,
    others: others.length > 0 ? others : undefined,
    has_quotes: hasQuotes || undefined,
    unreadable: unreadable.length > 0 ? unreadable : undefined,
  };
}

/**
 * Returns the record that withdraws the question of a deleted message; undefined if there is none to withdraw. A deletion can arrive before
 * its message: then it has the claim of the message, which is a duplicate from then on.
 */
async function deletionRecord(
  inbox: Inbox,
  { channel, ts, thread_ts = ts, user: user_id = "", mayAsk }: Extract<MessageMeaning, { kind: "deletion" }>,
  { head, retryStore }: { readonly head: NewHead; readonly retryStore: StoreRetry },
): Promise<InboxRecord | undefined> {
  const withdraws = messageClaim(head.team_id, channel, ts);
  const open = await retryStore(() => inbox.openOf(withdraws));
  if (open === undefined ? !mayAsk : open.length === 0) return undefined;
  const place = { channel, thread_ts, in_thread: thread_ts !== ts, user_id, author_teams: [] };
  const claims = [...head.claims, withdraws];
  return { ...head, ...place, claims, kind: "stop", whole_channel: false, written: false, withdraws };
}
