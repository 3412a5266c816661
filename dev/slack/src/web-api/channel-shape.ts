import type { Channel } from "../control/protocol.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** Returns the conversation in the format of the Web API. See https://docs.slack.dev/reference/objects/conversation-object */
export function toApiChannel(channel: Channel, state: WorkspaceState): Record<string, unknown> {
  const { team } = state.directory.workspace;
  const shared = {
    is_archived: channel.is_archived === true,
    is_shared: channel.is_ext_shared === true,
    is_ext_shared: channel.is_ext_shared === true,
    is_org_shared: false,
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
