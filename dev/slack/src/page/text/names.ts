import type { User, Workspace } from "../../protocol/workspace.ts";

/** The reader of messages: the acting user, the app's bot, and names for ids. */
export interface Reader {
  user: string;
  bot: string;
  names: Names;
  workspace: Workspace;
}

/** Returns the reader for a user of the workspace. */
export function readerOf(workspace: Workspace, user: string): Reader {
  return { user, bot: workspace.app.bot_user_id, names: namesOf(workspace), workspace };
}

/** Names of people and channels by id; an unknown id is shown as it is. */
export type Names = ReadonlyMap<string, string>;

/** Returns the names of all people and channels of a workspace. */
export function namesOf(workspace: Workspace): Names {
  return new Map([
    // Slackbot is not in the list of people.
    ["USLACKBOT", "Slackbot"],
    ...workspace.users.map((user) => [user.id, user.real_name] as const),
    ...workspace.channels.map((channel) => [channel.id, channel.name] as const),
  ]);
}

/** Returns the name of the organization that a person is from. Workspaces of one organization count as one. */
export function homeOf({ team, organization, partners, users }: Workspace, user: string): string {
  const home = users.find(({ id }) => id === user)?.team_id ?? team.id;
  if (home === team.id || organization?.siblings?.some(({ id }) => id === home)) return team.name;
  return partners?.find(({ id }) => id === home)?.name ?? home;
}

const broadcasts = ["channel", "here", "everyone"];

/**
 * Replaces typed `@names` with mentions: `@alice` becomes `<@U…>`, `@channel` becomes `<!channel>`. Only whole names match, in any case;
 * unknown names and e-mail addresses stay text. The server escapes the rest.
 */
export function composeText(typed: string, users: readonly User[]): string {
  return typed.replace(/(?<![\w.@-])@([\w.-]*\w)/g, (whole, name: string) => {
    const wanted = name.toLowerCase();
    if (broadcasts.includes(wanted)) return `<!${wanted}>`;
    const user = users.find((one) => one.name.toLowerCase() === wanted || one.real_name.toLowerCase() === wanted);
    return user ? `<@${user.id}>` : whole;
  });
}
