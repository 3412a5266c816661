import type { Channel, Message } from "../protocol/workspace.ts";
import type { LiveStream } from "../workspace/stream-store.ts";
import { checkWritable, visibleChannel } from "./channels.ts";
import { SlackError } from "./slack-error.ts";
import type { CallContext } from "./web-method.ts";

/** The user who sees a stream while it grows; both members are required outside of direct messages. */
export interface StreamRecipient {
  recipient_user_id?: string | undefined;
  recipient_team_id?: string | undefined;
}

/**
 * Returns the conversation to stream in. Throws `channel_not_found`, `is_archived`, `not_in_channel`, `channel_type_not_supported` in a
 * conversation shared with another organization, `missing_recipient_user_id`, `missing_recipient_team_id`, `user_not_found`.
 */
export function streamChannel(context: CallContext, id: string, recipient: StreamRecipient): Channel {
  const channel = checkWritable(context, visibleChannel(context, id));
  if (channel.is_ext_shared || channel.is_pending_ext_shared) throw new SlackError("channel_type_not_supported");
  const { recipient_user_id: user_id, recipient_team_id: team_id } = recipient;
  if (channel.kind === "im" && user_id === undefined && team_id === undefined) return channel;
  if (user_id === undefined) throw new SlackError("missing_recipient_user_id");
  if (team_id === undefined) throw new SlackError("missing_recipient_team_id");
  const { directory } = context.state;
  const user = directory.user(user_id);
  if (!user || directory.teamOf(user) !== team_id) throw new SlackError("user_not_found");
  return channel;
}

/**
 * Returns a live streamed message and its stream. Throws `channel_not_found`, `is_archived`, `not_in_channel`, `message_not_found`,
 * `message_not_owned_by_app`, `message_not_in_streaming_state` once it has ended, and `whenStopped` if a person stopped it.
 */
export function liveStream(
  context: CallContext,
  place: { channel: string; ts: string },
  whenStopped = "message_not_in_streaming_state",
): { message: Message & Required<Pick<Message, "stream">>; stream: LiveStream } {
  const { state } = context;
  const message = ownMessage(context, place);
  if (message.stream?.state === "stopped") throw new SlackError(whenStopped);
  const stream = state.streams.find(message);
  if (!message.stream || !stream) throw new SlackError("message_not_in_streaming_state");
  return { message: { ...message, stream: message.stream }, stream };
}

function ownMessage(context: CallContext, { channel, ts }: { channel: string; ts: string }): Message {
  const { state } = context;
  const { id } = checkWritable(context, visibleChannel(context, channel));
  const message = state.messages.find(id, ts);
  if (!message) throw new SlackError("message_not_found");
  if (message.bot_id !== state.directory.workspace.app.bot_id) throw new SlackError("message_not_owned_by_app");
  return message;
}
