import { isAllowedTeam, mayInstall } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/** Denies a workspace whose permission to install the app was withdrawn. Makes no calls. */
export const installerRule: PolicyRule = ({ policy, identity }) =>
  mayInstall(policy, identity) ? "allow" : { reason: "foreign_team" };

/** Requires that the event's envelope names at least one team, and only allowed ones. Makes no calls. */
export const teamListRule: PolicyRule = (subject) => {
  const { teams } = subject.record;
  const allowed = teams.length > 0 && teams.every((team) => isAllowedTeam(team, subject));
  return allowed ? "allow" : { reason: "foreign_team" };
};

/** Requires that the event's teams exist and the app can see them. An organisation is not a team and has no `team.info`. */
export const teamExistsRule: PolicyRule = async ({ record, directory }) => {
  const teams = record.teams.filter((team) => !team.startsWith("E"));
  const found = await Promise.all(teams.map(directory.team));
  return found.includes(undefined) ? { reason: "unknown_team" } : "allow";
};
