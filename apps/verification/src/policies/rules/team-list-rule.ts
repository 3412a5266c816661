import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** Every team that the event's envelope names is allowed, and it names one. Calls nobody. */
export const teamListRule: PolicyRule = {
  name: "team_list",
  judge: (subject) => {
    const { teams } = subject.record;
    const allowed = teams.length > 0 && teams.every((team) => isAllowedTeam(team, subject));
    return allowed ? "allow" : { reason: "foreign_team" };
  },
};
