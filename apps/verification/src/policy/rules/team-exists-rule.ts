import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the event's teams exist and the app can see them. An organisation is not a team and has no `team.info`. */
export const teamExistsRule: PolicyRule = {
  name: "team_exists",
  judge: async ({ record, directory }) => {
    const teams = record.teams.filter((team) => !team.startsWith("E"));
    const found = await Promise.all(teams.map(directory.team));
    return found.includes(undefined) ? { reason: "unknown_team" } : "allow";
  },
};
