import { z } from "zod";
import type { Message } from "../protocol/workspace.ts";
import { isTimestamp } from "../workspace/slack-clock.ts";
import { visibleChannel } from "./channels.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

const ITEM = { channel: z.string().optional(), timestamp: z.string().optional() };
type Item = z.infer<z.ZodObject<typeof ITEM>>;

/** Methods of emoji reactions. See https://docs.slack.dev/reference/methods?family=reactions */
export const REACTION_METHODS: readonly WebMethod[] = [
  webMethod("reactions.add", {
    tier: "tier_3",
    scopes: ["reactions:write"],
    args: z.object({ ...ITEM, name: z.string() }),
    run: (context, args) => {
      const message = reactable(context, args);
      if (context.state.directory.channel(message.channel)?.is_archived) throw new SlackError("is_archived");
      const name = emojiName(args.name);
      const users = usersWith(message, name);
      const bot = context.state.directory.bot.id;
      if (users.includes(bot)) throw new SlackError("already_reacted");
      setReaction(context, message, { name, users: [...users, bot] });
      return {};
    },
  }),

  webMethod("reactions.remove", {
    tier: "tier_2",
    scopes: ["reactions:write"],
    args: z.object({ ...ITEM, name: z.string() }),
    run: (context, args) => {
      const message = reactable(context, args);
      const name = emojiName(args.name);
      const users = usersWith(message, name);
      const bot = context.state.directory.bot.id;
      if (!users.includes(bot)) throw new SlackError("no_reaction");
      setReaction(context, message, { name, users: users.filter((user) => user !== bot) });
      return {};
    },
  }),
];

function reactable(context: CallContext, { channel, timestamp }: Item): Message {
  if (channel === undefined || timestamp === undefined) throw new SlackError("no_item_specified");
  const { id } = visibleChannel(context, channel);
  if (!isTimestamp(timestamp)) throw new SlackError("bad_timestamp");
  const message = context.state.messages.find(id, timestamp);
  if (!message) throw new SlackError("message_not_found");
  return message;
}

/** Returns a valid emoji name, such as `thumbsup`, with an optional skin tone; removes surrounding colons. */
function emojiName(name: string): string {
  const bare = name.replace(/^:(.*):$/, "$1");
  if (!/^[a-z0-9_+'-]{1,100}(::skin-tone-[2-6])?$/.test(bare)) throw new SlackError("invalid_name");
  return bare;
}

function usersWith({ reactions = [] }: Message, name: string): string[] {
  return reactions.find((reaction) => reaction.name === name)?.users ?? [];
}

/** Changes the reactions of a message without an event, because the app is not subscribed to `reaction_added`. */
function setReaction({ state }: CallContext, message: Message, reaction: { name: string; users: string[] }): void {
  const others = (message.reactions ?? []).filter(({ name }) => name !== reaction.name);
  const reactions = reaction.users.length > 0 ? [...others, reaction] : others;
  const { reactions: _reactions, ...rest } = message;
  state.messages.replace({ ...rest, ...(reactions.length > 0 && { reactions }) });
}
