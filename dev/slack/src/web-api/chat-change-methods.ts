import { z } from "zod";
import type { Message } from "../protocol/workspace.ts";
import { visibleChannel } from "./channels.ts";
import { withMetadata } from "./chat-post-methods.ts";
import { CONTENT_ARGUMENTS, type ContentArguments, messageContent } from "./message-content.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

/** The limit for `text` of an update is lower than for a new message. Characters. */
const LONGEST_UPDATED_TEXT = 4000;

/** Methods that change the app's own messages. See https://docs.slack.dev/reference/methods/chat.update */
export const CHAT_CHANGE_METHODS: readonly WebMethod[] = [
  webMethod("chat.update", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({ channel: z.string(), ts: z.string(), ...CONTENT_ARGUMENTS }),
    run: (context, args) => {
      const channel = visibleChannel(context, args.channel);
      if (channel.is_archived) throw new SlackError("is_inactive");
      const message = ownMessage(context, { channel: channel.id, ts: args.ts }, "cant_update_message");
      if (context.state.streams.find(message)) throw new SlackError("streaming_state_conflict");
      if (args.text !== undefined && args.text.length > LONGEST_UPDATED_TEXT) throw new SlackError("msg_too_long");
      const changed = updated(context, message, args);
      context.events.change(changed);
      return { channel: channel.id, ts: changed.ts, text: changed.text, message: withMetadata(changed, context) };
    },
  }),

  webMethod("chat.delete", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({ channel: z.string(), ts: z.string() }),
    run: (context, args) => {
      const channel = visibleChannel(context, args.channel);
      const message = ownMessage(context, { channel: channel.id, ts: args.ts }, "cant_delete_message");
      context.events.remove(message);
      return { channel: channel.id, ts: message.ts };
    },
  }),
];

/**
 * Returns the message after an update. New text without blocks removes the old blocks and marks the message as edited. Attachments and
 * metadata stay unless given; an empty metadata object removes the metadata. A streamed message becomes an ordinary one.
 */
function updated(context: CallContext, message: Message, args: ContentArguments): Message {
  const { text, markdown_text, blocks, attachments, metadata, edited, stream, ...place } = message;
  const rewritten = args.text !== undefined || args.markdown_text !== undefined || args.blocks !== undefined;
  if (!rewritten && args.metadata === undefined && args.attachments === undefined) throw new SlackError("no_text");
  const written = markdown_text === undefined ? { text, blocks } : { markdown_text };
  const content = messageContent(context, { attachments, metadata, ...(!rewritten && written), ...args });
  if (!rewritten) return { ...place, ...content, ...(edited && { edited }), ...(stream && { stream }) };
  return {
    ...place,
    ...content,
    ...(!content.blocks && { edited: { user: message.user, ts: context.state.clock.ts() } }),
  };
}

function ownMessage(
  { state }: CallContext,
  { channel, ts }: { channel: string; ts: string },
  refusal: string,
): Message {
  const message = state.messages.find(channel, ts);
  if (!message) throw new SlackError("message_not_found");
  if (message.bot_id !== state.directory.workspace.app.bot_id) throw new SlackError(refusal);
  return message;
}
