import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the author is a member of an allowed team, according to Slack, and not a stranger to the workspace. */
export const noStrangersRule: PolicyRule = {
  name: "no_strangers",
  judge: async (subject) => {
    const user = await subject.directory.user(subject.record.user_id);
    return user?.stranger === false && isAllowedTeam(user.team_id, subject) ? "allow" : { reason: "stranger" };
  },
};
