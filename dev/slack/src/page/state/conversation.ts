import type { Channel, Workspace } from "../../protocol/workspace.ts";

/** The view in the page's address: the traffic, or a channel with an optional thread. */
export type Place = { view: "traffic" } | { view: "messages"; channel: string; thread: string | undefined };

/** Parses `#/traffic`, `#/C…` or `#/C…/<ts>`; undefined for any other address. */
export function parseHash(hash: string): Place | undefined {
  if (hash === "#/traffic") return { view: "traffic" };
  const found = /^#\/([CDG]\w+)(?:\/(\d+\.\d+))?$/.exec(hash);
  return found?.[1] === undefined ? undefined : { view: "messages", channel: found[1], thread: found[2] };
}

/** Returns the address of a channel, or of a thread in it. */
export function channelHash(channel: string, thread?: string): string {
  return thread === undefined ? `#/${channel}` : `#/${channel}/${thread}`;
}

/** Returns the conversations of a user's sidebar: all public channels, and the other conversations of which the user is a member. */
export function conversationsOf(workspace: Workspace, user: string): { channels: Channel[]; direct: Channel[] } {
  const visible = workspace.channels.filter(({ kind, members }) => kind === "channel" || members.includes(user));
  const isDirect = ({ kind }: Channel): boolean => kind === "im" || kind === "mpim";
  const archivedLast = (a: Channel, b: Channel): number =>
    Number(a.is_archived ?? false) - Number(b.is_archived ?? false);
  return {
    channels: visible.filter((channel) => !isDirect(channel)).toSorted(archivedLast),
    direct: visible.filter(isDirect),
  };
}

/** Returns the name of a conversation for this user: its own name, or its other members. */
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

/** Returns why the app may not answer here, as a sentence; undefined if it receives every mention. */
export function conversationNotice(channel: Channel, workspace: Workspace): string | undefined {
  if (channel.is_archived) return "Archived. Write here only to test how the app reacts.";
  if (!channel.members.includes(workspace.app.bot_user_id)) {
    return `${workspace.app.name} is not a member of this channel and gets no messages from it.`;
  }
  if (channel.is_ext_shared) return "This conversation is shared with another organization (Slack Connect).";
  return undefined;
}
