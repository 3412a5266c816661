import { newSlackId } from "../workspace/slack-clock.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type {
  AgentSessionStoppedEvent,
  ReactionAddedEvent,
  ReactionRemovedEvent,
  TokensRevokedEvent,
} from "@slack/types";
import type { Message } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";

/** Why Slack retries an event; `timeout` is Socket Mode's. See https://docs.slack.dev/apis/events-api#retries */
export type RetryReason =
  "http_timeout" | "http_error" | "connection_failed" | "ssl_error" | "unknown_error" | "timeout";

/** One attempt to deliver an event. */
export interface EventAttempt {
  envelope: EventEnvelope;
  /** 0 for the first attempt. */
  retryNum: number;
  /** Set on a retry: why the previous attempt failed. */
  retryReason?: RetryReason;
}

/** The outcome of one attempt. */
export interface AttemptOutcome {
  /** HTTP status; 200 for an acknowledged socket message; 0 without a response. */
  status: number;
  accepted: boolean;
  /** The app answered `X-Slack-No-Retry: 1`. */
  noRetry: boolean;
  /** Set if it was not accepted. */
  reason?: RetryReason;
  /** The sent request, for the traffic record. */
  request: unknown;
  response: unknown;
}

/** Delivers one attempt and never rejects; `signal` aborts it, as a failure. */
export type EventTransport = (attempt: EventAttempt, signal: AbortSignal) => Promise<AttemptOutcome>;

/** An event as an app receives it. */
export interface SlackEvent {
  type: string;
  event_ts: string;
  [member: string]: unknown;
}

/** The `event_callback` around an event. See https://docs.slack.dev/apis/events-api#callback-field */
export interface EventEnvelope {
  token: string;
  team_id: string;
  context_team_id: string;
  context_enterprise_id: string | null;
  api_app_id: string;
  event: SlackEvent;
  type: "event_callback";
  event_id: string;
  /** Unix seconds. */
  event_time: number;
  authorizations: {
    enterprise_id: string | null;
    team_id: string;
    user_id: string;
    is_bot: boolean;
    is_enterprise_install: boolean;
  }[];
  is_ext_shared_channel: boolean;
  event_context: string;
}

/**
 * Wraps an event with a new `event_id`. Its `team_id` is the workspace that made the channel, its `authorizations` name the one that installed the
 * app. An event from a Slack Connect channel is marked as such. See https://github.com/slackapi/java-slack-sdk/issues/629
 */
export function wrapEvent(event: SlackEvent, state: WorkspaceState): EventEnvelope {
  const { team, app, organization } = state.directory.workspace;
  const enterprise_id = organization?.id ?? null;
  const { channel: place = (event["item"] as { channel?: unknown } | undefined)?.channel } = event;
  const channel = typeof place === "string" ? state.directory.channel(place) : undefined;
  return {
    token: "deprecated-verification-token",
    team_id: channel?.team_id ?? team.id,
    context_team_id: team.id,
    context_enterprise_id: enterprise_id,
    api_app_id: app.app_id,
    event,
    type: "event_callback",
    event_id: newSlackId("Ev"),
    event_time: state.clock.seconds(),
    authorizations: [
      {
        enterprise_id,
        team_id: team.id,
        user_id: app.bot_user_id,
        is_bot: true,
        is_enterprise_install: organization !== undefined,
      },
    ],
    is_ext_shared_channel: channel?.is_ext_shared === true,
    event_context: `4-${Buffer.from(JSON.stringify({ et: event.type, tid: team.id, aid: app.app_id })).toString("base64url")}`,
  };
}

/** Returns a `message` event; a file makes it a `file_share`. See https://docs.slack.dev/reference/events/message */
export function messageEvent(message: Message, state: WorkspaceState): SlackEvent {
  return {
    ...withSubtype(message, state),
    type: "message",
    channel: message.channel,
    event_ts: message.ts,
    channel_type: channelType(message.channel, state),
  };
}

/**
 * Returns the second event of a message that mentions the app: same channel and `ts`, a different `event_id`, no `channel_type` and no
 * `files`. See https://docs.slack.dev/reference/events/app_mention
 */
export function appMentionEvent(message: Message, state: WorkspaceState): SlackEvent {
  const { files: _files, upload: _upload, ...rest } = toApiMessage(message, state);
  return { ...rest, type: "app_mention", channel: message.channel, event_ts: message.ts };
}

/** See https://docs.slack.dev/reference/events/message/message_changed */
export function messageChangedEvent(message: Message, previous: Message, state: WorkspaceState): SlackEvent {
  return { ...changeOf(previous, state), subtype: "message_changed", message: withSubtype(message, state) };
}

/** See https://docs.slack.dev/reference/events/message/message_deleted */
export function messageDeletedEvent(previous: Message, state: WorkspaceState): SlackEvent {
  return { ...changeOf(previous, state), subtype: "message_deleted", deleted_ts: previous.ts };
}

/** Returns what the events of a change and of a deletion have in common. */
function changeOf(previous: Message, state: WorkspaceState): SlackEvent {
  const ts = state.clock.ts();
  return {
    type: "message",
    previous_message: withSubtype(previous, state),
    channel: previous.channel,
    hidden: true,
    ts,
    event_ts: ts,
    channel_type: channelType(previous.channel, state),
  };
}

/** The message of a webhook has no `item_user`. See https://docs.slack.dev/reference/events/reaction_added */
export function reactionEvent(
  type: "reaction_added" | "reaction_removed",
  { message, user, reaction }: { message: Message; user: string; reaction: string },
  { clock }: WorkspaceState,
): SlackEvent {
  const { channel, ts, user: item_user, subtype } = message;
  return {
    type,
    user,
    reaction,
    ...(subtype !== "bot_message" && { item_user }),
    item: { type: "message", channel, ts },
    event_ts: clock.ts(),
  } satisfies Omit<ReactionAddedEvent | ReactionRemovedEvent, "item_user">;
}

/** `streams` are the `ts` of the streams that this event has ended. See https://docs.slack.dev/reference/events/agent_session_stopped */
export function sessionStoppedEvent(
  place: { channel: string; thread_ts: string; user: string; streams: string[] },
  state: WorkspaceState,
): SlackEvent {
  return {
    type: "agent_session_stopped",
    channel: place.channel,
    user: place.user,
    thread_ts: place.thread_ts,
    streaming_message_ts: place.streams,
    event_ts: state.clock.ts(),
  } satisfies AgentSessionStoppedEvent;
}

/** Names only the bot's token: the local Slack has no user tokens. See https://docs.slack.dev/reference/events/tokens_revoked */
export function tokensRevokedEvent(state: WorkspaceState): SlackEvent {
  const tokens: TokensRevokedEvent["tokens"] = { oauth: [], bot: [state.directory.workspace.app.bot_user_id] };
  return { type: "tokens_revoked", tokens, event_ts: state.clock.ts() };
}

/** See https://docs.slack.dev/reference/events/app_uninstalled */
export function appUninstalledEvent(state: WorkspaceState): SlackEvent {
  return { type: "app_uninstalled", event_ts: state.clock.ts() };
}

function withSubtype(message: Message, state: WorkspaceState): Record<string, unknown> {
  return { ...toApiMessage(message, state), ...(message.files?.length && { subtype: "file_share" }) };
}

function channelType(id: string, state: WorkspaceState): string {
  return state.directory.channel(id)?.kind ?? "channel";
}
