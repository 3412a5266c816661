import { z } from "zod";

/** The envelope of the Events API. https://docs.slack.dev/apis/events-api#callback-field */
export interface SlackEnvelope {
  readonly event_id?: string | undefined;
  readonly api_app_id?: string | undefined;
  readonly team_id?: string | undefined;
  readonly context_team_id?: string | undefined;
  readonly authorizations?: readonly { readonly team_id?: string | undefined }[] | undefined;
  readonly event: { readonly type: string; readonly [member: string]: unknown };
}

/** Members of `message` and `app_mention` events. https://docs.slack.dev/reference/events/message */
export interface SlackMessageEvent {
  readonly type: "message" | "app_mention";
  readonly subtype?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly channel?: string | undefined;
  readonly channel_type?: string | undefined;
  readonly user?: string | undefined;
  readonly bot_id?: string | undefined;
  /** Where the author belongs to; either member may say it. */
  readonly user_team?: string | undefined;
  readonly team?: string | undefined;
  readonly ts?: string | undefined;
  readonly thread_ts?: string | undefined;
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

/** What names a team and cannot be read is a team that nobody allows, not one that is missing. */
const unreadable = "";
const team = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined)
  .catch(unreadable);

const envelopeSchema: z.ZodType<SlackEnvelope> = z.object({
  type: z.literal("event_callback"),
  event_id: text,
  api_app_id: text,
  team_id: team,
  context_team_id: team,
  authorizations: z
    .array(z.object({ team_id: team }).catch({ team_id: unreadable }))
    .nullish()
    .transform((all) => all ?? undefined)
    .catch([{ team_id: unreadable }]),
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

/** Reads an envelope whose signature was checked. Nothing when it is no event at all. */
export function readEnvelope(body: unknown): SlackEnvelope | undefined {
  return envelopeSchema.safeParse(body).data;
}

/** Nothing when the event is of another type. Members of the wrong type count as missing, but for the teams. */
export function readMessageEvent(event: unknown): SlackMessageEvent | undefined {
  return messageSchema.safeParse(event).data;
}

export function readSessionStopped(event: unknown): SessionStoppedEvent | undefined {
  return stoppedSchema.safeParse(event).data;
}
