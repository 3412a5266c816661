import { z } from "zod";
import { SlackError } from "./slack-error.ts";
import type { UserGroup } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { type Answer, webMethod, type WebMethod } from "./web-method.ts";

/** Methods of groups of people. See https://docs.slack.dev/reference/methods?family=usergroups */
export const USER_GROUP_METHODS: readonly WebMethod[] = [
  webMethod("usergroups.list", {
    tier: "tier_2",
    scopes: ["usergroups:read"],
    ofTeam: true,
    args: z.object({}),
    run: ({ state }) => ({
      usergroups: [...state.userGroups.values()]
        .filter(({ is_disabled }) => !is_disabled)
        .map((group) => toApiGroup(group, state)),
    }),
  }),

  webMethod("usergroups.users.list", {
    tier: "tier_2",
    scopes: ["usergroups:read"],
    ofTeam: true,
    args: z.object({ usergroup: z.string() }),
    run: ({ state: { userGroups } }, { usergroup }) => {
      const group = userGroups.get(usergroup);
      if (!group || group.is_disabled) throw new SlackError("no_such_subteam");
      return { users: group.users };
    },
  }),
];

/** Returns the group in the format of the Web API. See https://docs.slack.dev/reference/objects/usergroup-object */
function toApiGroup({ id, handle, name }: UserGroup, { directory }: WorkspaceState): Answer {
  return {
    id,
    team_id: directory.workspace.team.id,
    is_usergroup: true,
    is_subteam: true,
    name,
    description: "",
    handle,
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: 0,
    auto_type: null,
    prefs: { channels: [], groups: [] },
  };
}
