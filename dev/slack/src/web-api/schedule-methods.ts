import { z } from "zod";
import type { Channel } from "../protocol/workspace.ts";
import type { ScheduledMessage } from "../workspace/scheduled-messages.ts";
import { visibleChannel, writableChannel } from "./channels.ts";
import { author, threadRoot } from "./chat-post-methods.ts";
import { CONTENT_ARGUMENTS, messageContent } from "./message-content.ts";
import { PAGE_ARGUMENTS, pageOf } from "./lists.ts";
import { flag } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

const FARTHEST_SECONDS = 120 * 24 * 3600;
/** Maximum number of messages scheduled for one channel within five minutes. */
const MOST_IN_WINDOW = 30;
const WINDOW_SECONDS = 300;
/** A message that is due sooner than this can no longer be deleted, seconds. */
const LAST_SECONDS = 60;

/** Methods of scheduled messages. See https://docs.slack.dev/reference/methods/chat.scheduleMessage */
export const SCHEDULE_METHODS: readonly WebMethod[] = [
  webMethod("chat.scheduleMessage", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({
      channel: z.string(),
      thread_ts: z.string().optional(),
      post_at: z.union([z.string(), z.number()]),
      reply_broadcast: flag.optional(),
      ...CONTENT_ARGUMENTS,
    }),
    run: (context, args) => {
      const { state, events } = context;
      if (args.reply_broadcast)
        throw errorWithMessages("invalid_arguments", ["the local Slack does not support reply_broadcast"]);
      const channel = writableChannel(context, args.channel);
      const post_at = postTime(context, channel, args.post_at);
      const content = messageContent(context, args);
      const draft = { channel: channel.id, ...threadRoot(context, channel.id, args.thread_ts), ...content };
      const scheduled = state.scheduled.add(
        { channel: channel.id, post_at, date_created: state.clock.seconds(), text: content.text },
        () => {
          if (!channel.is_archived && channel.members.includes(state.directory.bot.id))
            events.post({ ...draft, ...author(context) });
        },
      );
      const { bot_id } = author(context);
      const message = { text: content.text, bot_id, type: "delayed_message", subtype: "bot_message" };
      return { channel: channel.id, scheduled_message_id: scheduled.id, post_at, message };
    },
  }),

  webMethod("chat.deleteScheduledMessage", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({ channel: z.string(), scheduled_message_id: z.string() }),
    run: (context, args) => {
      const { scheduled, clock } = context.state;
      const { id } = visibleChannel(context, args.channel);
      const found = scheduled.waiting().find((one) => one.id === args.scheduled_message_id && one.channel === id);
      if (!found || found.post_at - clock.seconds() < LAST_SECONDS)
        throw new SlackError("invalid_scheduled_message_id");
      scheduled.cancel(found.id);
      return {};
    },
  }),

  webMethod("chat.scheduledMessages.list", {
    tier: "tier_3",
    args: z.object({
      ...PAGE_ARGUMENTS,
      channel: z.string().optional(),
      oldest: z.coerce.number().default(0),
      latest: z.coerce.number().default(Infinity),
    }),
    run: ({ state }, args) => {
      const { channel } = args;
      if (channel !== undefined && !state.directory.channel(channel)) throw new SlackError("invalid_channel");
      const found = state.scheduled
        .waiting()
        .filter((one) => channel === undefined || one.channel === channel)
        .filter(({ post_at }) => post_at >= args.oldest && post_at <= args.latest);
      const { items, response_metadata } = pageOf(found, args, 100);
      return { scheduled_messages: items.map(shown), response_metadata };
    },
  }),
];

/** Returns the time to post, Unix seconds. Throws `invalid_time`, `time_in_past`, `time_too_far`, `restricted_too_many`. */
function postTime({ state }: CallContext, { id }: Channel, value: string | number): number {
  const post_at = Number(value);
  const now = state.clock.seconds();
  if (!Number.isInteger(post_at)) throw new SlackError("invalid_time");
  if (post_at <= now) throw new SlackError("time_in_past");
  if (post_at > now + FARTHEST_SECONDS) throw new SlackError("time_too_far");
  const window = (seconds: number): number => Math.floor(seconds / WINDOW_SECONDS);
  const inWindow = state.scheduled
    .waiting()
    .filter((one) => one.channel === id && window(one.post_at) === window(post_at));
  if (inWindow.length >= MOST_IN_WINDOW) throw new SlackError("restricted_too_many");
  return post_at;
}

function shown({ id, channel, ...rest }: ScheduledMessage): Record<string, unknown> {
  return { id, channel_id: channel, ...rest };
}
