import { type JsonObject, parseExactJson } from "@crosszone/contracts/json";
import { z } from "zod";
import { type InboxRecord, messageClaim, type Question, type RecordHead, type StopRecord } from "../inbox/records.ts";
import type { AccessPolicy } from "../policy/rules.ts";
import type { ReadMessage } from "../slack/reading/read-message.ts";
import type { SlackIdentity, SlackThread, WorkspaceId } from "../slack/slack-api.ts";

/** Ids, names and timestamps of Slack are short. Each is kept for a while. */
const shortText = z.string().max(255);
const optionalText = shortText.optional().catch(undefined);

/** An unreadable team counts as a team that is not allowed, not as a missing one. */
const unreadable = "";
const readTeam = shortText
  .nullish()
  .transform((id) => id ?? undefined)
  .catch(unreadable);

const unreadableAuthorization = { team_id: unreadable, enterprise_id: unreadable, is_enterprise_install: undefined };

const envelopeSchema = z.object({
  type: z.literal("event_callback"),
  event_id: optionalText,
  api_app_id: optionalText,
  team_id: readTeam,
  context_team_id: readTeam,
  /** The installations that can see the event. https://docs.slack.dev/apis/events-api#authorizations */
  authorizations: z
    .array(
      z
        .object({
          team_id: readTeam,
          enterprise_id: readTeam,
          is_enterprise_install: z.boolean().optional().catch(undefined),
        })
        .catch(unreadableAuthorization),
    )
    .nullish()
    .transform((all) => all ?? undefined)
    .catch([unreadableAuthorization]),
  /** Unix seconds. */
  event_time: z.number().optional().catch(undefined),
  event: z.looseObject({ type: shortText }),
});

/** The envelope of the Events API. https://docs.slack.dev/apis/events-api#callback-field */
export type SlackEnvelope = Readonly<z.output<typeof envelopeSchema>>;

const inner = z.looseObject({}).optional().catch(undefined);

/** Loose, because `readMessage` reads what the message says. */
const messageSchema = z.looseObject({
  type: z.enum(["message", "app_mention"]),
  subtype: optionalText,
  hidden: z.boolean().optional().catch(undefined),
  channel: optionalText,
  channel_type: optionalText,
  user: optionalText,
  bot_id: optionalText,
  app_id: optionalText,
  bot_profile: z.object({ app_id: optionalText }).optional().catch(undefined),
  /** The author's home team; either member can contain it. */
  user_team: readTeam,
  team: readTeam,
  ts: optionalText,
  thread_ts: optionalText,
  /** Set once its author has edited the message. */
  edited: inner,
  /** Of a change or deletion: the message as it is now, and as it was. */
  message: inner,
  previous_message: inner,
  deleted_ts: optionalText,
});

/** Members of `message` and `app_mention` events. https://docs.slack.dev/reference/events/message */
export type SlackMessageEvent = Readonly<z.output<typeof messageSchema>>;

const person = { channel: shortText, user: shortText };

const stoppedSchema = z
  .object({ type: z.literal("agent_session_stopped"), ...person, thread_ts: shortText })
  .transform(({ channel, thread_ts, user: user_id }) => {
    return { channel, thread_ts, in_thread: true, user_id, author_teams: [] };
  });

const homeSchema = z
  .object({ type: z.literal("app_home_opened"), ...person, tab: z.literal("home") })
  .transform(({ channel, user: user_id }) => {
    return { channel, thread_ts: "", in_thread: false, user_id, author_teams: [] };
  });

const reactionSchema = z.object({
  type: z.literal("reaction_added"),
  user: shortText,
  reaction: shortText,
  item_user: optionalText,
  item: z.object({ type: z.literal("message"), channel: shortText, ts: shortText }),
});

const revokedSchema = z.object({ tokens: z.object({ bot: z.array(shortText) }) });

const limitSchema = z
  .object({
    type: z.literal("app_rate_limited"),
    team_id: shortText,
    api_app_id: shortText,
    minute_rate_limited: z.number(),
  })
  .transform(({ type: _type, minute_rate_limited, ...app }) => {
    return { ...app, since: new Date(minute_rate_limited * 1_000).toISOString() };
  });

/** Slack's notice that it drops events of one workspace. https://docs.slack.dev/reference/events/app_rate_limited */
export type EventsLimit = Readonly<z.output<typeof limitSchema>>;

/** Reads an envelope with a verified signature. Returns undefined if it is not an event. */
export function readEnvelope(body: unknown): SlackEnvelope | undefined {
  return envelopeSchema.safeParse(body).data;
}

/** Returns undefined for other types of event. Members of the wrong type count as missing, except for teams. */
export function readMessageEvent(event: unknown): SlackMessageEvent | undefined {
  return messageSchema.safeParse(event).data;
}

const writtenSubtypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  "file_share",
  "me_message",
  "thread_broadcast",
]);

/** Returns true if somebody wrote the message. An `app_mention` mentions the app, whatever its subtype. */
export const isWritten = ({ type, subtype }: Partial<SlackMessageEvent>): boolean =>
  type === "app_mention" || writtenSubtypes.has(subtype);

/** Returns what an event claims, by what it says of itself: its id and, unless it changes a message, the message. */
export function claimsOfEvent(
  { event_id }: SlackEnvelope,
  { type, channel, ts, subtype, edited }: Partial<SlackMessageEvent>,
  { team_id }: SlackIdentity,
): readonly string[] {
  const isMessage = channel !== undefined && ts !== undefined && isWritten({ type, subtype }) && edited === undefined;
  return [...eventClaims(event_id), ...(isMessage ? [messageClaim(team_id, channel, ts)] : [])];
}

export const eventClaims = (id: string | undefined): readonly string[] => (id === undefined ? [] : [`event ${id}`]);

/** What every record of an event has. */
export type NewHead = Omit<RecordHead, keyof SlackThread | "user_id" | "author_teams" | "in_thread">;

/** A message for this app, with a known place and author, and what it says. */
export type AddressedMessage = SlackMessageEvent & {
  readonly channel: string;
  readonly user: string;
  readonly ts: string;
  readonly read: ReadMessage;
};

/** Returns the record of a person's message: a question, or a request to stop or to be quiet. */
export function messageRecord(
  kind: "ask" | "stop" | "quiet",
  message: AddressedMessage,
  head: NewHead,
): Question | StopRecord {
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
  const { words: text, files, others, hasQuotes } = read;
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
    unreadable: read.unreadable.length > 0 ? read.unreadable : undefined,
  };
}

/**
 * Returns the record of what a person did without a message: opened the Home tab, pressed Stop, or added a reaction that asks about a message.
 * Undefined for other events. https://docs.slack.dev/reference/events/reaction_added
 */
export function unwrittenRecord(
  { event }: SlackEnvelope,
  head: NewHead,
  { identity: { bot_user_id }, policy }: { readonly identity: SlackIdentity; readonly policy: AccessPolicy },
): InboxRecord | undefined {
  const [home, stopped] = [homeSchema.safeParse(event).data, stoppedSchema.safeParse(event).data];
  if (home !== undefined) return { ...head, ...home, kind: "home" };
  if (stopped !== undefined) return { ...head, ...stopped, kind: "stop", whole_channel: false, written: false };
  const { user: user_id, reaction = "", item_user, item } = reactionSchema.safeParse(event).data ?? {};
  const name = reaction.replace(/::skin-tone-\d$/, "");
  const agent = policy.reactions.get(name);
  const isOfApp = user_id === bot_user_id || item_user === bot_user_id;
  if (agent === undefined || item === undefined || user_id === undefined || isOfApp) return undefined;
  const { channel, ts } = item;
  const place = { channel, thread_ts: "", in_thread: false, user_id, author_teams: [] };
  const value = JSON.stringify({ channel, ts, agent, reaction: name });
  const press = { of: "answer", id: head.correlation_id, verb: "reaction", value } as const;
  return { ...head, ...place, kind: "press", press };
}

/** Returns the bot users whose tokens a `tokens_revoked` event names. https://docs.slack.dev/reference/events/tokens_revoked */
export function readTokensRevoked(event: unknown): readonly string[] {
  return revokedSchema.safeParse(event).data?.tokens.bot ?? [];
}

/** Reads the body of a request, or the payload of a frame. Returns undefined if it is no such notice. */
export function readEventsLimit(notice: Buffer | JsonObject): EventsLimit | undefined {
  try {
    return limitSchema.parse(Buffer.isBuffer(notice) ? parseExactJson(notice) : notice);
  } catch {
    return undefined;
  }
}

/**
 * Returns the workspace of an event. Slack sends an event once, and names one of the installations that can see it. Without a name, the
 * event is for the team that it comes from.
 */
export function workspaceOf({ authorizations = [], team_id, context_team_id }: SlackEnvelope): WorkspaceId {
  const isReadable = (one: (typeof authorizations)[number]): boolean =>
    one.is_enterprise_install === true || (one.team_id ?? unreadable) !== unreadable;
  const authorization = authorizations.find(isReadable) ?? authorizations[0];
  const from = context_team_id ?? team_id ?? "";
  if (authorization?.is_enterprise_install === true)
    return { team_id: from, org_id: authorization.enterprise_id ?? "" };
  return { team_id: authorization?.team_id ?? from };
}

/**
 * Returns the teams that an envelope comes from; empty if it names none. If its authorizations name the installation, only the installing team
 * counts: the outer `team_id` is the team that made the channel, such as a partner. Otherwise all named teams count, because a single-token Bolt
 * app would run its listeners for any of them. https://docs.slack.dev/apis/events-api#authorizations
 */
export function teamsOf(envelope: SlackEnvelope, { team_id: installed, org_id }: SlackIdentity): readonly string[] {
  const { team_id, context_team_id, authorizations = [] } = envelope;
  const isInstallation = ({ is_enterprise_install, ...by }: (typeof authorizations)[number]): boolean =>
    by.team_id === installed || (is_enterprise_install === true && org_id !== undefined && by.enterprise_id === org_id);
  if (authorizations.some(isInstallation)) return [installed];
  const named = [team_id, context_team_id].filter((team) => team !== undefined);
  const authorized = authorizations.flatMap((authorization) => authorization.team_id ?? []);
  return named.length === 0 ? [] : [...new Set([...named, ...authorized])];
}
