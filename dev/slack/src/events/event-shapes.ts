import type { AgentSessionStoppedEvent, AppHomeOpenedEvent, TokensRevokedEvent } from "@slack/types";
import type { Message } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { SlackEvent } from "./event-envelope.ts";

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
  const ts = state.clock.ts();
  return {
    type: "message",
    subtype: "message_changed",
    message: withSubtype(message, state),
    previous_message: withSubtype(previous, state),
    channel: message.channel,
    hidden: true,
    ts,
    event_ts: ts,
    channel_type: channelType(message.channel, state),
  };
}

/** See https://docs.slack.dev/reference/events/message/message_deleted */
export function messageDeletedEvent(previous: Message, state: WorkspaceState): SlackEvent {
  const ts = state.clock.ts();
  return {
    type: "message",
    subtype: "message_deleted",
    previous_message: withSubtype(previous, state),
    channel: previous.channel,
    hidden: true,
    deleted_ts: previous.ts,
    ts,
    event_ts: ts,
    channel_type: channelType(previous.channel, state),
  };
}

/** `streams` are the `ts` of the streams that this event has ended. See https://docs.slack.dev/reference/events/agent_session_stopped */
export function sessionStoppedEvent(
  place: { channel: string; thread_ts: string; user: string; streams: string[] },
  state: WorkspaceState,
): SlackEvent {
  const event: AgentSessionStoppedEvent = {
    type: "agent_session_stopped",
    channel: place.channel,
    user: place.user,
    thread_ts: place.thread_ts,
    streaming_message_ts: place.streams,
    event_ts: state.clock.ts(),
  };
  return { ...event };
}

/** See https://docs.slack.dev/reference/events/app_home_opened */
export function homeOpenedEvent(
  opened: { channel: string; user: string; tab: "home" | "messages" },
  state: WorkspaceState,
): SlackEvent {
  const event: AppHomeOpenedEvent = {
    type: "app_home_opened",
    user: opened.user,
    channel: opened.channel,
    tab: opened.tab,
    event_ts: state.clock.ts(),
  };
  return { ...event };
}

/** Names only the bot's token: the local Slack has no user tokens. See https://docs.slack.dev/reference/events/tokens_revoked */
export function tokensRevokedEvent(state: WorkspaceState): SlackEvent {
  const event: TokensRevokedEvent = {
    type: "tokens_revoked",
    tokens: { oauth: [], bot: [state.directory.workspace.app.bot_user_id] },
  };
  return { ...event, event_ts: state.clock.ts() };
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
