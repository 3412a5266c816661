import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** The author is a member of an allowed team, as Slack itself says, and not somebody whom the workspace has nothing to do with. */
export const noStrangersRule: PolicyRule = {
  name: "no_strangers",
  judge: async (subject) => {
    const user = await subject.directory.user(subject.record.user_id);
    return user?.stranger === false && isAllowedTeam(user.team_id, subject) ? "allow" : { reason: "stranger" };
  },
};
