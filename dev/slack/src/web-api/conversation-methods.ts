import { z } from "zod";
import type { Channel } from "../protocol/workspace.ts";
import { readableChannel, requireScope, toApiChannel, visibleChannel } from "./channels.ts";
import { LIST_ARGUMENTS, listConversations, PAGE_ARGUMENTS, pageOf } from "./lists.ts";
import { flag } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type Answer, type CallContext, webMethod, type WebMethod } from "./web-method.ts";

/** Methods of conversation membership. See https://docs.slack.dev/reference/methods/conversations.join */
export const MEMBERSHIP_METHODS: readonly WebMethod[] = [
  webMethod("conversations.join", {
    tier: "tier_3",
    scopes: ["channels:join"],
    args: z.object({ channel: z.string() }),
    run: (context, args) => {
      const channel = visibleChannel(context, args.channel);
      const { bot } = context.state.directory;
      if (channel.kind !== "channel") throw new SlackError("method_not_supported_for_channel_type");
      if (channel.is_archived) throw new SlackError("is_archived");
      if (channel.members.includes(bot.id)) context.warn("already_in_channel");
      else channel.members.push(bot.id);
      context.state.directory.save();
      return { channel: toApiChannel(channel, context.state) };
    },
  }),
];

/** Methods of conversations. See https://docs.slack.dev/reference/methods?family=conversations */
export const CONVERSATION_METHODS: readonly WebMethod[] = [
  webMethod("conversations.info", {
    tier: "tier_3",
    args: z.object({ channel: z.string(), include_num_members: flag.optional() }),
    run: (context, args) => {
      const channel = readableChannel(context, args.channel, "read");
      const num_members = channel.members.length;
      return { channel: { ...toApiChannel(channel, context.state), ...(args.include_num_members && { num_members }) } };
    },
  }),

  webMethod("conversations.list", {
    tier: "tier_2",
    scopes: ["channels:read", "groups:read", "im:read", "mpim:read"],
    args: z.object(LIST_ARGUMENTS),
    run: (context, args) => listConversations(context, args),
  }),

  webMethod("conversations.members", {
    tier: "tier_4",
    args: z.object({ channel: z.string(), ...PAGE_ARGUMENTS }),
    run: (context, args) => {
      const { items, response_metadata } = pageOf(readableChannel(context, args.channel, "read").members, args, 100);
      return { members: items, response_metadata };
    },
  }),

  webMethod("conversations.open", {
    tier: "tier_3",
    scopes: ["im:write", "mpim:write", "groups:write", "channels:manage"],
    args: z.object({ channel: z.string().optional(), users: z.string().optional(), return_im: flag.optional() }),
    run: (context, args) => openConversation(context, args),
  }),
];

function openConversation(
  context: CallContext,
  {
    channel,
    users,
    return_im,
  }: { channel?: string | undefined; users?: string | undefined; return_im?: boolean | undefined },
): Answer {
  const { directory } = context.state;
  const answer = (opened: Channel, already: boolean): Answer => ({
    ...(already && { no_op: true, already_open: true }),
    channel: return_im ? toApiChannel(opened, context.state) : { id: opened.id },
  });
  if (channel !== undefined) {
    const existing = visibleChannel(context, channel);
    if (existing.kind !== "im" && existing.kind !== "mpim")
      throw new SlackError("method_not_supported_for_channel_type");
    return answer(existing, true);
  }
  if (users === undefined) throw new SlackError("users_list_not_supplied");
  const ids = [...new Set(users.split(",").map((id) => id.trim()))].filter((id) => id !== directory.bot.id);
  if (ids.length === 0) throw new SlackError("not_enough_users");
  if (ids.length > 8) throw new SlackError("too_many_users");
  for (const id of ids) {
    const user = directory.user(id);
    if (!user) throw new SlackError("user_not_found");
    if (user.deleted) throw new SlackError("user_disabled");
  }
  requireScope(context, [ids.length === 1 ? "im:write" : "mpim:write"]);
  const existing = directory.conversationWith(ids);
  return answer(existing ?? directory.openConversation(ids), existing !== undefined);
}
