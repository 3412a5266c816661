import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the event's envelope names at least one team, and only allowed ones. Makes no calls. */
export const teamListRule: PolicyRule = {
  name: "team_list",
  judge: (subject) => {
    const { teams } = subject.record;
    const allowed = teams.length > 0 && teams.every((team) => isAllowedTeam(team, subject));
    return allowed ? "allow" : { reason: "foreign_team" };
  },
};
