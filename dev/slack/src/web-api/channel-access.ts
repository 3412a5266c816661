import type { Channel } from "../control/protocol.ts";
import { SlackError } from "./slack-error.ts";
import type { CallContext } from "./web-method.ts";

const SCOPE_PREFIX = { channel: "channels", group: "groups", im: "im", mpim: "mpim" } as const;

/**
 * Returns the conversation with this id, if the bot can see it. Public channels are visible to all; private channels and direct messages
 * only to their members, and do not exist for others. Throws `channel_not_found`.
 */
export function visibleChannel({ state }: CallContext, id: string): Channel {
  const channel = state.directory.channel(id);
  const isMember = channel?.members.includes(state.directory.bot.id) ?? false;
  if (!channel || (channel.kind !== "channel" && !isMember)) throw new SlackError("channel_not_found");
  return channel;
}

/**
 * Returns the conversation to read about (`read`), or to read messages in (`history`, members only). Also throws `missing_scope`,
 * `not_in_channel`.
 */
export function readableChannel(context: CallContext, id: string, what: "read" | "history"): Channel {
  const channel = visibleChannel(context, id);
  requireScope(context, [`${SCOPE_PREFIX[channel.kind]}:${what}`]);
  if (what === "history" && !isBotIn(context, channel)) throw new SlackError("not_in_channel");
  return channel;
}

/**
 * Returns the conversation to write in: by id, by name (`#general`), or the direct message with a user id. Throws `channel_not_found`,
 * `is_archived`, `not_in_channel`.
 */
export function writableChannel(context: CallContext, target: string): Channel {
  const { directory } = context.state;
  const user = directory.user(target);
  const channel =
    user && user.id !== directory.bot.id
      ? directory.openConversation([user.id])
      : visibleChannel(context, directory.channelByName(target)?.id ?? target);
  return checkWritable(context, channel);
}

/** Throws `is_archived`, `not_in_channel` if the bot cannot write there. */
export function checkWritable(context: CallContext, channel: Channel): Channel {
  if (channel.is_archived) throw new SlackError("is_archived");
  if (!isBotIn(context, channel)) throw new SlackError("not_in_channel");
  return channel;
}

/** Throws `missing_scope`, with the needed and the granted scopes, unless the token has one of these scopes. */
export function requireScope({ scopes, token }: CallContext, oneOf: readonly string[]): void {
  if (token !== "bot" || oneOf.length === 0 || oneOf.some((scope) => scopes.includes(scope))) return;
  throw new SlackError("missing_scope", { needed: oneOf.join(","), provided: scopes.join(",") });
}

function isBotIn({ state }: CallContext, channel: Channel): boolean {
  return channel.members.includes(state.directory.bot.id);
}
