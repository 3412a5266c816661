import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/**
 * Requires that the event's home teams of the author are allowed. An event can name none; `strangers` then looks the author up. Makes no
 * calls.
 */
export const authorTeamRule: PolicyRule = {
  name: "author_team",
  judge: (subject) =>
    subject.record.author_teams.every((team) => isAllowedTeam(team, subject)) ? "allow" : { reason: "foreign_author" },
};
