import { z } from "zod";
import type { SlackIdentity, WorkspaceId } from "../../slack/slack-api.ts";

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

/** The envelope of the Events API. https://docs.slack.dev/apis/events-api#callback-field */
export interface SlackEnvelope {
  readonly event_id?: string;
  readonly api_app_id?: string;
  readonly team_id?: string;
  readonly context_team_id?: string;
  /** Unix seconds. */
  readonly event_time?: number;
  readonly authorizations?: readonly SlackAuthorization[];
  readonly event: { readonly type: string; readonly [member: string]: unknown };
}

/** An installation that can see the event. https://docs.slack.dev/apis/events-api#authorizations */
export interface SlackAuthorization {
  readonly team_id?: string;
  readonly enterprise_id?: string;
  readonly is_enterprise_install?: boolean;
}

/** Members of `message` and `app_mention` events. https://docs.slack.dev/reference/events/message */
export interface SlackMessageEvent {
  readonly type: "message" | "app_mention";
  readonly subtype?: string;
  readonly hidden?: boolean;
  readonly channel?: string;
  readonly channel_type?: string;
  readonly user?: string;
  readonly bot_id?: string;
  /** The author's home team; either member can contain it. */
  readonly user_team?: string;
  readonly team?: string;
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly text: string;
  readonly files?: unknown;
}

/** https://docs.slack.dev/reference/events/agent_session_stopped */
export interface SessionStoppedEvent {
  readonly channel: string;
  readonly thread_ts: string;
  readonly user: string;
}

const text = z.string().optional().catch(undefined);

/** An unreadable team counts as a team that is not allowed, not as a missing one. */
const unreadable = "";
const team = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined)
  .catch(unreadable);

const unreadableAuthorization = {
  team_id: unreadable,
  enterprise_id: unreadable,
  is_enterprise_install: undefined,
};

const envelopeSchema: z.ZodType<SlackEnvelope> = z.object({
  type: z.literal("event_callback"),
  event_id: text,
  api_app_id: text,
  team_id: team,
  context_team_id: team,
  authorizations: z
    .array(
      z
        .object({ team_id: team, enterprise_id: team, is_enterprise_install: z.boolean().optional().catch(undefined) })
        .catch(unreadableAuthorization),
    )
    .nullish()
    .transform((all) => all ?? undefined)
    .catch([unreadableAuthorization]),
  event_time: z.number().optional().catch(undefined),
  event: z.looseObject({ type: z.string() }),
});

const messageSchema: z.ZodType<SlackMessageEvent> = z.object({
  type: z.enum(["message", "app_mention"]),
  subtype: text,
  hidden: z.boolean().optional().catch(undefined),
  channel: text,
  channel_type: text,
  user: text,
  bot_id: text,
  user_team: team,
  team,
  ts: text,
  thread_ts: text,
  text: z.string().catch(""),
  files: z.unknown().optional(),
});

const stoppedSchema: z.ZodType<SessionStoppedEvent> = z.object({
  channel: z.string(),
  thread_ts: z.string(),
  user: z.string(),
});

const revokedSchema: z.ZodType<{ readonly tokens: { readonly bot: readonly string[] } }> = z.object({
  tokens: z.object({ bot: z.array(z.string()) }),
});

/** Reads an envelope with a verified signature. Returns undefined if it is not an event. */
export function readEnvelope(body: unknown): SlackEnvelope | undefined {
  return envelopeSchema.safeParse(body).data;
}

/** Returns undefined for other types of event. Members of the wrong type count as missing, except for teams. */
export function readMessageEvent(event: unknown): SlackMessageEvent | undefined {
  return messageSchema.safeParse(event).data;
}

export function readSessionStopped(event: unknown): SessionStoppedEvent | undefined {
  return stoppedSchema.safeParse(event).data;
}

/** Returns the bot users whose tokens a `tokens_revoked` event names. https://docs.slack.dev/reference/events/tokens_revoked */
export function readTokensRevoked(event: unknown): readonly string[] {
  return revokedSchema.safeParse(event).data?.tokens.bot ?? [];
}
