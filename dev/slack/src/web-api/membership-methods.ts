import { z } from "zod";
import { visibleChannel } from "./channel-access.ts";
import { toApiChannel } from "./channel-shape.ts";
import { LIST_ARGUMENTS, listConversations } from "./conversation-list.ts";
import { SlackError } from "./slack-error.ts";
import { webMethod } from "./web-method.ts";
import type { WebMethod } from "./web-method.ts";

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
      return { channel: toApiChannel(channel, context.state) };
    },
  }),

  webMethod("users.conversations", {
    tier: "tier_3",
    scopes: ["channels:read", "groups:read", "im:read", "mpim:read"],
    args: z.object({ ...LIST_ARGUMENTS, user: z.string().optional() }),
    run: (context, args) => {
      const { directory } = context.state;
      const user = args.user === undefined ? directory.bot : directory.user(args.user);
      if (!user) throw new SlackError("user_not_found");
      if (args.limit !== undefined && args.limit > 999) throw new SlackError("invalid_limit");
      return listConversations(context, args, ({ members }) => members.includes(user.id));
    },
  }),
];
