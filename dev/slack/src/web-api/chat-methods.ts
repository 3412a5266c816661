import { z } from "zod";
import type { Message } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import { isTimestamp } from "../workspace/slack-clock.ts";
import { visibleChannel, writableChannel } from "./channels.ts";
import { CONTENT_ARGUMENTS, type ContentArguments, messageContent } from "./message-content.ts";
import { flag } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

const TARGET = { channel: z.string(), thread_ts: z.string().optional() };

/** Methods that post messages. See https://docs.slack.dev/reference/methods?family=chat */
export const CHAT_POST_METHODS: readonly WebMethod[] = [
  webMethod("chat.postMessage", {
    tier: "post_message",
    scopes: ["chat:write"],
    args: z.object({ ...TARGET, ...CONTENT_ARGUMENTS, reply_broadcast: flag.optional() }),
    run: (context, args) => {
      const channel = writableChannel(context, args.channel);
      if (args.reply_broadcast)
        throw errorWithMessages("invalid_arguments", ["the local Slack does not support reply_broadcast"]);
      const thread = threadRoot(context, channel.id, args.thread_ts);
      const message = context.events.post({
        channel: channel.id,
        ...thread,
        ...author(context),
        ...messageContent(context, args),
      });
      if (thread.thread_ts !== undefined)
        context.state.statuses.replied({ channel: channel.id, thread_ts: thread.thread_ts });
      return { channel: channel.id, ts: message.ts, message: withMetadata(message, context) };
    },
  }),

  webMethod("chat.postEphemeral", {
    tier: "tier_4",
    scopes: ["chat:write"],
    args: z.object({ ...TARGET, user: z.string(), ...CONTENT_ARGUMENTS }),
    run: (context, args) => {
      const channel = writableChannel(context, args.channel);
      const user = context.state.directory.user(args.user);
      if (!user) throw new SlackError("user_not_found");
      if (user.deleted || !channel.members.includes(user.id)) throw new SlackError("user_not_in_channel");
      const content = messageContent(context, args);
      const thread = threadRoot(context, channel.id, args.thread_ts);
      // Slack reports success but shows nothing if the thread has no replies yet, or does not exist.
      const { thread_ts = args.thread_ts } = thread;
      if (thread_ts !== undefined && context.state.messages.thread(channel.id, thread_ts).length < 2)
        return { message_ts: context.state.clock.ts() };
      const { ts } = context.events.post({
        channel: channel.id,
        ...thread,
        ...author(context),
        ...content,
        ephemeral_for: args.user,
      });
      return { message_ts: ts };
    },
  }),
];

/** Returns the message with its metadata, as in the response to its author. */
export function withMetadata(message: Message, { state }: CallContext): Record<string, unknown> {
  return { ...toApiMessage(message, state), ...(message.metadata && { metadata: message.metadata }) };
}

/** Returns the members that identify the app as the author. */
export function author({ state }: Pick<CallContext, "state">): Pick<Message, "user" | "bot_id" | "app_id"> {
  const { app } = state.directory.workspace;
  return { user: app.bot_user_id, bot_id: app.bot_id, app_id: app.app_id };
}

/**
 * Returns the `thread_ts` of a reply: the root's, even if the `ts` of another reply was given. If the message does not exist, returns none:
 * Slack then posts outside of the thread, without an error (https://github.com/slack-go/slack/issues/1571). Throws `invalid_thread_ts` for an
 * invalid timestamp.
 */
export function threadRoot(
  { state }: Pick<CallContext, "state">,
  channel: string,
  thread_ts: string | undefined,
): Pick<Message, "thread_ts"> {
  if (thread_ts === undefined) return {};
  if (!isTimestamp(thread_ts)) throw errorWithMessages("invalid_thread_ts", [`${thread_ts} is not a valid thread_ts`]);
  const target = state.messages.find(channel, thread_ts);
  return target ? { thread_ts: target.thread_ts ?? target.ts } : {};
}

/** The limit for `text` of an update is lower than for a new message. Bytes; some measure characters. */
const LONGEST_UPDATED_TEXT = 4000;

/** Methods that change the app's own messages, or link to a message. See https://docs.slack.dev/reference/methods/chat.update */
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
      if (Buffer.byteLength(args.text ?? "") > LONGEST_UPDATED_TEXT) throw new SlackError("msg_too_long");
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

  webMethod("chat.getPermalink", {
    tier: "tier_4",
    args: z.object({ channel: z.string(), message_ts: z.string() }),
    run: (context, { channel: id, message_ts }) => {
      const { state } = context;
      const channel = visibleChannel(context, id).id;
      const message = state.messages.find(channel, message_ts);
      if (!message) throw new SlackError("message_not_found");
      const thread = message.thread_ts === undefined ? "" : `?thread_ts=${message.thread_ts}&cid=${channel}`;
      return { channel, permalink: `${state.url}/archives/${channel}/p${message_ts.replace(".", "")}${thread}` };
    },
  }),
];

/**
 * Returns the message after an update. New text without blocks removes the old blocks and marks the message as edited. Attachments and
 * metadata stay unless given; an empty metadata object removes the metadata. A streamed message becomes an ordinary one.
 */
function updated(context: CallContext, message: Message, args: ContentArguments): Message {
  const { text, markdown_text, blocks, attachments, metadata, edited, stream } = message;
  const rewritten = args.text !== undefined || args.markdown_text !== undefined || args.blocks !== undefined;
  if (!rewritten && args.metadata === undefined && args.attachments === undefined) throw new SlackError("no_text");
  const written = markdown_text === undefined ? { text, blocks } : { markdown_text };
  const content = messageContent(context, { attachments, metadata, ...(!rewritten && written), ...args });
  if (!rewritten) return { ...placeOf(message), ...content, edited, stream };
  return {
    ...placeOf(message),
    ...content,
    ...(!content.blocks && { edited: { user: message.user, ts: context.state.clock.ts() } }),
  };
}

/** Returns the members of a message that remain when its content is replaced. */
export function placeOf(message: Message): Omit<Message, "text"> {
  const { text: _text, markdown_text: _markdown, blocks: _blocks, attachments: _attachments, ...rest } = message;
  const { metadata: _metadata, edited: _edited, stream: _stream, ...place } = rest;
  return place;
}

/** Returns a message of the app. Throws `message_not_found`, and `refusal` for a message of another author. */
export function ownMessage(
  { state }: CallContext,
  { channel, ts }: { channel: string; ts: string },
  refusal: string,
): Message {
  const message = state.messages.find(channel, ts);
  if (!message || message.subtype === "tombstone") throw new SlackError("message_not_found");
  if (message.bot_id !== state.directory.workspace.app.bot_id) throw new SlackError(refusal);
  return message;
}
