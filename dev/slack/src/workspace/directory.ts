import type { Channel, User, Workspace } from "../protocol/workspace.ts";
import { newSlackId } from "./slack-clock.ts";
import type { Storage } from "./storage.ts";

/** Finds people and conversations of the workspace. It modifies the workspace only to open a direct message. */
export interface Directory {
  readonly workspace: Workspace;
  readonly bot: User;
  /** Keeps the workspace as it is now. Call it after a change of its people and conversations. */
  save(): void;
  channel(id: string): Channel | undefined;
  /** By id, `name` or `#name`. */
  channelByName(idOrName: string): Channel | undefined;
  user(id: string): User | undefined;
  /** By id, `name` or `@name`. */
  userByName(idOrName: string): User | undefined;
  teamOf(user: User): string;
  /** Returns the other workspace of the organization with this id. */
  sibling(team: string): Workspace["team"] | undefined;
  /** Returns the bot's direct message with this person, and creates it if it is missing. */
  directMessage(user: string): Channel;
}

/**
 * Makes a directory of a workspace, or of the one kept from an earlier start. The object is shared, not copied, so that it includes opened
 * conversations.
 */
export function createDirectory(initial: Workspace, { keep }: Storage): Directory {
  const kept = keep<Workspace>("workspace");
  const workspace = kept.get(initial.team.id) ?? initial;
  const botId = workspace.app.bot_user_id;
  const bot = workspace.users.find((user) => user.id === botId);
  if (!bot) throw new Error(`the workspace has no user ${botId} for its bot`);

  const directory: Directory = {
    workspace,
    bot,
    save: () => void kept.set(workspace.team.id, workspace),
    channel: (id) => workspace.channels.find((channel) => channel.id === id),
    channelByName: (idOrName) => {
      const name = idOrName.replace(/^#/, "");
      return (
        directory.channel(idOrName) ??
        workspace.channels.find((channel) => channel.name !== "" && channel.name === name)
      );
    },
    user: (id) => workspace.users.find((user) => user.id === id),
    userByName: (idOrName) => {
      const name = idOrName.replace(/^@/, "");
      return directory.user(idOrName) ?? workspace.users.find((user) => user.name === name);
    },
    teamOf: (user) => user.team_id ?? workspace.team.id,
    sibling: (team) => workspace.organization?.siblings?.find(({ id }) => id === team),
    directMessage: (user) => {
      const existing = workspace.channels.find(({ kind, members }) => kind === "im" && members.includes(user));
      if (existing) return existing;
      const channel: Channel = { id: newSlackId("D"), name: "", kind: "im", members: [user, botId] };
      workspace.channels.push(channel);
      directory.save();
      return channel;
    },
  };
  return directory;
}
