import type { SlackIdentity, SlackMessage } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { concernOf } from "./refusals.ts";

/**
 * Returns true if a message in a question's thread is a stream that a process started without recording it. A stream has no mark until it
 * ends, and every other message of the app has a mark or a file. Questions of one thread are processed one after the other, so the stream
 * belongs to the current question. There are two exceptions: messages that other software posts with the same bot token, and the stream of
 * a parked question, which the thread's next question adopts when it searches for its own.
 */
export function isOrphan(
  { ts, user, bot_id, mark, files }: SlackMessage,
  { identity, after }: { readonly identity: SlackIdentity; readonly after: string },
): boolean {
  const isOurs = user === identity.bot_user_id || bot_id === identity.bot_id;
  return isOurs && mark === undefined && files.length === 0 && Number(ts) > Number(after);
}

/**
 * What follows a failed append. `wait`: nothing was appended; try again later. `edit`: continue with edits of the same message. `stop`: a
 * person pressed Stop. `leave`: the message cannot be changed.
 */
export type StreamTrouble = "wait" | "edit" | "stop" | "leave";

/** Slack's codes for a message that accepts nothing more from this app. */
const closedMessages: ReadonlySet<string> = new Set(["message_not_found", "message_not_owned_by_app"]);

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
  return closedMessages.has(error.code) || concernOf(error) === "place" ? "leave" : "edit";
}

/** Returns true if Slack says that the stream has already ended. */
export function hasEnded(error: unknown): boolean {
  return error instanceof SlackCallError && ended.has(error.code);
}

/** Returns true if Slack refuses to edit a message because it is a live stream. */
export function isLive(error: unknown): error is SlackCallError {
  return error instanceof SlackCallError && error.code === "streaming_state_conflict";
}
