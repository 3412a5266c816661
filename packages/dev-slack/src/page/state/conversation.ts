import type { Channel, Workspace } from "../../control/protocol.ts";

/** The conversations a user finds in their sidebar: all public channels, and of the others those they are in. */
export function conversationsOf(workspace: Workspace, user: string): { channels: Channel[]; direct: Channel[] } {
  const seen = workspace.channels.filter(({ kind, members }) => kind === "channel" || members.includes(user));
  const isDirect = ({ kind }: Channel): boolean => kind === "im" || kind === "mpim";
  const archivedLast = (a: Channel, b: Channel): number =>
    Number(a.is_archived ?? false) - Number(b.is_archived ?? false);
  return {
    channels: seen.filter((channel) => !isDirect(channel)).toSorted(archivedLast),
    direct: seen.filter(isDirect),
  };
}

/** What a conversation is called for this user: its name, or who else is in it. */
export function conversationName(channel: Channel, workspace: Workspace, user: string): string {
  if (channel.kind === "channel" || channel.kind === "group") return channel.name;
  const others = channel.members.filter((member) => member !== user);
  return others.map((id) => workspace.users.find((one) => one.id === id)?.real_name ?? id).join(", ");
}

/** The direct message between this user and the app's bot. */
export function botConversation(workspace: Workspace, user: string): Channel | undefined {
  return workspace.channels.find(
    ({ kind, members }) => kind === "im" && members.includes(user) && members.includes(workspace.app.bot_user_id),
  );
}

/** What stands in the way of an answer here, in one sentence; nothing when the app hears every mention. */
export function conversationNotice(channel: Channel, workspace: Workspace): string | undefined {
  if (channel.is_archived) return "Archived. Write here only to see what the app does then.";
  if (!channel.members.includes(workspace.app.bot_user_id)) {
    return `${workspace.app.name} is not in this channel, so it hears nothing here.`;
  }
  if (channel.is_ext_shared) return "This conversation is shared with another organisation (Slack Connect).";
  return undefined;
}
