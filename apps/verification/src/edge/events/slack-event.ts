import { z } from "zod";
import type { SlackIdentity, WorkspaceId } from "../../slack/slack-api.ts";
import type { ThreadStore } from "../../inbox/thread-store.ts";
import { readMessage } from "../../slack/reading/read-message.ts";

const optionalText = z.string().optional().catch(undefined);

/** An unreadable team counts as a team that is not allowed, not as a missing one. */
const unreadable = "";
const readTeam = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined)
  .catch(unreadable);

const unreadableAuthorization = {
  team_id: unreadable,
  enterprise_id: unreadable,
  is_enterprise_install: undefined,
};

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
  event: z.looseObject({ type: z.string() }),
});

/** The envelope of the Events API. https://docs.slack.dev/apis/events-api#callback-field */
export type SlackEnvelope = Readonly<z.output<typeof envelopeSchema>>;

const messageSchema = z.looseObject({
  type: z.enum(["message", "app_mention"]),
  subtype: optionalText,
  hidden: z.boolean().optional().catch(undefined),
  channel: optionalText,
  channel_type: optionalText,
  user: optionalText,
  bot_id: optionalText,
  /** The author's home team; either member can contain it. */
  user_team: readTeam,
  team: readTeam,
  ts: optionalText,
  thread_ts: optionalText,
  text: z.string().catch(""),
  files: z.unknown().optional(),
});

/** Members of `message` and `app_mention` events. https://docs.slack.dev/reference/events/message */
export type SlackMessageEvent = Readonly<z.output<typeof messageSchema>>;

const stoppedSchema = z.object({ channel: z.string(), thread_ts: z.string(), user: z.string() });

const revokedSchema = z.object({ tokens: z.object({ bot: z.array(z.string()) }) });

/** Reads an envelope with a verified signature. Returns undefined if it is not an event. */
export function readEnvelope(body: unknown): SlackEnvelope | undefined {
  return envelopeSchema.safeParse(body).data;
}

/** Returns undefined for other types of event. Members of the wrong type count as missing, except for teams. */
export function readMessageEvent(event: unknown): SlackMessageEvent | undefined {
  return messageSchema.safeParse(event).data;
}

/** https://docs.slack.dev/reference/events/agent_session_stopped */
export function readSessionStopped(event: unknown): z.output<typeof stoppedSchema> | undefined {
  return stoppedSchema.safeParse(event).data;
}

/** Returns the bot users whose tokens a `tokens_revoked` event names. https://docs.slack.dev/reference/events/tokens_revoked */
export function readTokensRevoked(event: unknown): readonly string[] {
  return revokedSchema.safeParse(event).data?.tokens.bot ?? [];
}

/**
 * Returns the workspace of an event. Slack sends an event once, and names one of the installations that can see it. Without a name, the
 * event is for the team that it comes from.
 */
export function workspaceOf({ authorizations = [], team_id, context_team_id }: SlackEnvelope): WorkspaceId {
  const [authorization] = authorizations;
  const from = context_team_id ?? team_id ?? "";
  if (authorization?.is_enterprise_install === true)
    return { team_id: from, org_id: authorization.enterprise_id ?? "" };
  return { team_id: authorization?.team_id ?? from };
}

/**
 * Returns the teams that an envelope comes from; empty if it names none. If the installing team is among the teams that can see the event,
 * it is the only one; otherwise all of them count. A single-token Bolt app would run its listeners for any of them.
 * https://docs.slack.dev/apis/events-api#authorizations
 */
export function teamsOf(envelope: SlackEnvelope, { team_id: installed }: SlackIdentity): readonly string[] {
  const { team_id, context_team_id, authorizations = [] } = envelope;
  const named = [team_id, context_team_id].filter((team) => team !== undefined);
  if (named.length === 0) return [];
  const authorized = authorizations.flatMap((authorization) => authorization.team_id ?? []);
  const counting = authorized.includes(installed) ? [installed] : authorized;
  return [...new Set([...named, ...counting])];
}

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
): Promise<{ readonly ignored: IgnoreReason } | { readonly ignored?: never; readonly message: AddressedMessage }> {
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
  message: AddressedMessage,
  { bot_user_id, team_id }: SlackIdentity,
  isOurs: ThreadStore["has"],
): Promise<boolean> {
  const { type, channel, channel_type, thread_ts } = message;
  if (type === "app_mention" || channel_type === "im" || channel.startsWith("D")) return true;
  const { mentions } = readMessage(message, bot_user_id);
  if (mentions.length > 0) return mentions.includes(bot_user_id);
  return thread_ts !== undefined && isOurs({ team_id, channel, thread_ts });
}
