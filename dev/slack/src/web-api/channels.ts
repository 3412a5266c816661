import type { Channel, User } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { SlackError } from "./slack-error.ts";
import type { CallContext } from "./web-method.ts";

/** The beginning of the scopes for conversations of a kind. */
export const SCOPE_PREFIX = { channel: "channels", group: "groups", im: "im", mpim: "mpim" } as const;

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

/** Throws `user_disabled` for a deactivated person, and `user_not_visible` for one whom the app can't see. */
export function checkReachable(user: User | undefined): void {
  if (user?.deleted) throw new SlackError("user_disabled");
  if (user?.is_hidden) throw new SlackError("user_not_visible");
}

/**
 * Returns the conversation to write in: by id, by name (`#general`), or the direct message with a user id. Throws `channel_not_found`,
 * `is_archived`, `not_in_channel`, and as `checkReachable` for a direct message.
 */
export function writableChannel(context: CallContext, target: string): Channel {
  const { directory } = context.state;
  const user = directory.user(target);
  const channel =
    user && user.id !== directory.bot.id
      ? directory.directMessage(user.id)
      : visibleChannel(context, directory.channelByName(target)?.id ?? target);
  if (channel.kind === "im") channel.members.forEach((member) => checkReachable(directory.user(member)));
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

/** Returns the conversation in the format of the Web API. See https://docs.slack.dev/reference/objects/conversation-object */
export function toApiChannel(channel: Channel, state: WorkspaceState): Record<string, unknown> {
  const { team } = state.directory.workspace;
  const shared = {
    is_archived: channel.is_archived === true,
    is_shared: channel.is_ext_shared === true,
    is_ext_shared: channel.is_ext_shared === true,
    is_org_shared: state.directory.sibling(channel.team_id ?? "") !== undefined,
    is_pending_ext_shared: channel.is_pending_ext_shared === true,
    context_team_id: team.id,
  };
  if (channel.kind === "im") {
    const user = channel.members.find((member) => member !== state.directory.bot.id) ?? state.directory.bot.id;
    const isDeleted = state.directory.user(user)?.deleted === true;
    return {
      id: channel.id,
      created: 0,
      is_im: true,
      ...shared,
      updated: 0,
      user,
      is_user_deleted: isDeleted,
      priority: 0,
    };
  }
  const text = { value: "", creator: "", last_set: 0 };
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.kind === "channel",
    is_group: channel.kind === "group",
    is_im: false,
    is_mpim: channel.kind === "mpim",
    is_private: channel.kind !== "channel",
    created: 0,
    is_general: channel.name === "general",
    unlinked: 0,
    name_normalized: channel.name,
    pending_shared: [],
    updated: 0,
    parent_conversation: null,
    creator: channel.members[0] ?? "",
    shared_team_ids: [...new Set(channel.members.map((id) => teamOf(id, state)))],
    pending_connected_team_ids: [],
    is_member: channel.members.includes(state.directory.bot.id),
    ...(channel.is_ext_shared && { conversation_host_id: channel.team_id ?? team.id }),
    ...shared,
    topic: text,
    purpose: text,
    previous_names: [],
  };
}

function teamOf(userId: string, state: WorkspaceState): string {
  const user = state.directory.user(userId);
  return user ? state.directory.teamOf(user) : state.directory.workspace.team.id;
}
