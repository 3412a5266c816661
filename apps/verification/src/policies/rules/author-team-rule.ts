import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** The teams that the event names as the author's home are allowed. It may name none: `strangers` asks Slack. Calls nobody. */
export const authorTeamRule: PolicyRule = {
  name: "author_team",
  judge: (subject) =>
    subject.record.author_teams.every((team) => isAllowedTeam(team, subject)) ? "allow" : { reason: "foreign_author" },
};
