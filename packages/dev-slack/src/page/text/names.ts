import type { Workspace } from "../../control/protocol.ts";

/** Names of people and channels by id; an id that is not in it is shown as it is. */
export type Names = ReadonlyMap<string, string>;

/** The names of everyone and everything in a workspace. */
export function namesOf(workspace: Workspace): Names {
  return new Map([
    // Who speaks for Slack itself is in no list of people.
    ["USLACKBOT", "Slackbot"],
    ...workspace.users.map((user) => [user.id, user.real_name] as const),
    ...workspace.channels.map((channel) => [channel.id, channel.name] as const),
  ]);
}
