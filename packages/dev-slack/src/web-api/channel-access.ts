import type { Channel } from "../control/protocol.ts";
import { SlackError } from "./slack-error.ts";
import type { CallContext } from "./web-method.ts";

const SCOPE_PREFIX = { channel: "channels", group: "groups", im: "im", mpim: "mpim" } as const;

/**
 * The conversation with this id, when the bot may know it. A public channel is known to all; a private channel or a direct message
 * only to its members, and for everyone else it does not exist. Throws `channel_not_found`.
 */
export function visibleChannel({ state }: CallContext, id: string): Channel {
  const channel = state.directory.channel(id);
  const isMember = channel?.members.includes(state.directory.bot.id) ?? false;
  if (!channel || (channel.kind !== "channel" && !isMember)) throw new SlackError("channel_not_found");
  return channel;
}

/** The same for reading about it (`read`) or in it (`history`, members only). Throws also `missing_scope`, `not_in_channel`. */
export function readableChannel(context: CallContext, id: string, what: "read" | "history"): Channel {
  const channel = visibleChannel(context, id);
  requireScope(context, [`${SCOPE_PREFIX[channel.kind]}:${what}`]);
  if (what === "history" && !isBotIn(context, channel)) throw new SlackError("not_in_channel");
  return channel;
}

/**
 * The conversation to write in: by id, by name (`#general`), or the direct message with a user id.
 * Throws `channel_not_found`, `is_archived`, `not_in_channel`.
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

/** Throws `is_archived`, `not_in_channel` unless the bot may write there. */
export function checkWritable(context: CallContext, channel: Channel): Channel {
  if (channel.is_archived) throw new SlackError("is_archived");
  if (!isBotIn(context, channel)) throw new SlackError("not_in_channel");
  return channel;
}

/** Throws `missing_scope`, with what is needed and what is there, unless the token has one of these scopes. */
export function requireScope({ scopes, token }: CallContext, oneOf: readonly string[]): void {
  if (token !== "bot" || oneOf.length === 0 || oneOf.some((scope) => scopes.includes(scope))) return;
  throw new SlackError("missing_scope", { needed: oneOf.join(","), provided: scopes.join(",") });
}

function isBotIn({ state }: CallContext, channel: Channel): boolean {
  return channel.members.includes(state.directory.bot.id);
}
