import { SlackCallError } from "../../slack/slack-call-error.ts";

/**
 * What follows a failed append. `wait`: nothing was appended; try again later. `edit`: continue with edits of the same message. `stop`: a
 * person pressed Stop. `leave`: the message cannot be changed.
 */
export type StreamTrouble = "wait" | "edit" | "stop" | "leave";

/** Slack's codes for a message or a place that accepts nothing more from this app. */
const closedPlaces: ReadonlySet<string> = new Set([
  "channel_not_found",
  "is_archived",
  "message_not_found",
  "message_not_owned_by_app",
  "messages_tab_disabled",
  "not_in_channel",
]);

/** Slack's errors from chat.update or chat.stopStream for a stream that is not live. */
const ended: ReadonlySet<string> = new Set(["message_not_in_streaming_state", "stopped_by_user"]);

/**
 * Returns what follows an error of `chat.appendStream`. After an unknown outcome the same text could be appended twice, so the message is
 * edited instead, as after a refusal of the content. https://docs.slack.dev/reference/methods/chat.appendStream
 */
export function troubleOf(error: unknown): StreamTrouble {
  if (!(error instanceof SlackCallError)) return "edit";
  if (error.failure === "rate_limited") return "wait";
  if (error.code === "stopped_by_user") return "stop";
  const isClosed = closedPlaces.has(error.code) || error.code.startsWith("restricted_action");
  return error.failure === "refused" && isClosed ? "leave" : "edit";
}

/** Returns true if Slack says that the stream has already ended. */
export function hasEnded(error: unknown): boolean {
  return error instanceof SlackCallError && ended.has(error.code);
}

/** Returns true if Slack refuses to edit a message because it is a live stream. */
export function isLive(error: unknown): error is SlackCallError {
  return error instanceof SlackCallError && error.code === "streaming_state_conflict";
}
