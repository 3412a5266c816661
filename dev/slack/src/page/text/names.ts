import type { Workspace } from "../../control/protocol.ts";

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
