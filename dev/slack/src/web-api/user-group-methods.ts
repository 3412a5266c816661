import { z } from "zod";
import { flag } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

/** Methods of groups of people. See https://docs.slack.dev/reference/methods?family=usergroups */
export const USER_GROUP_METHODS: readonly WebMethod[] = [
  webMethod("usergroups.users.list", {
    tier: "tier_2",
    scopes: ["usergroups:read"],
    args: z.object({ usergroup: z.string(), include_disabled: flag.optional(), team_id: z.string().optional() }),
    run: ({ state: { userGroups } }, { usergroup, include_disabled = false }) => {
      const group = userGroups.get(usergroup);
      if (!group || (group.is_disabled && !include_disabled)) throw new SlackError("no_such_subteam");
      return { users: group.users };
    },
  }),
];
