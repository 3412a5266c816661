import { z } from "zod";
import type { UserGroup } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { flag } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type Answer, webMethod, type WebMethod } from "./web-method.ts";

const READ = { tier: "tier_2", scopes: ["usergroups:read"] } as const;

/** Methods of groups of people. See https://docs.slack.dev/reference/methods?family=usergroups */
export const USER_GROUP_METHODS: readonly WebMethod[] = [
  webMethod("usergroups.list", {
    ...READ,
    args: z.object({
      include_count: flag.optional(),
      include_disabled: flag.optional(),
      include_users: flag.optional(),
      team_id: z.string().optional(),
    }),
    run: ({ state }, { include_count, include_disabled = false, include_users }) => ({
      usergroups: groups(state, include_disabled).map((group) => ({
        ...toApiGroup(group, state),
        ...(include_count && { user_count: group.users.length }),
        ...(include_users && { users: group.users }),
      })),
    }),
  }),

  webMethod("usergroups.users.list", {
    ...READ,
    args: z.object({ usergroup: z.string(), include_disabled: flag.optional(), team_id: z.string().optional() }),
    run: ({ state }, { usergroup, include_disabled = false }) => {
      const group = groups(state, include_disabled).find(({ id }) => id === usergroup);
      if (!group) throw new SlackError("no_such_subteam");
      return { users: group.users };
    },
  }),
];

/** Throws `plan_upgrade_required` in a free workspace. */
function groups({ userGroups, plan }: WorkspaceState, withDisabled: boolean): UserGroup[] {
  if (plan.get("plan") === "free") throw new SlackError("plan_upgrade_required");
  return [...userGroups.values()].filter(({ is_disabled }) => withDisabled || !is_disabled);
}

/** See https://docs.slack.dev/reference/objects/usergroup-object */
function toApiGroup({ is_disabled, users: _users, ...group }: UserGroup, { directory }: WorkspaceState): Answer {
  const { id: team_id } = directory.workspace.team;
  const dates = { date_create: 0, date_update: 0, date_delete: is_disabled ? 1 : 0 };
  return { ...group, team_id, is_usergroup: true, is_subteam: true, is_external: false, description: "", ...dates };
}
