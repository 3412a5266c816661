import { isAllowedTeam } from "../access-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";

/**
 * Requires that the event's home teams of the author are allowed. An event can name none; `no_strangers` then looks the author up. Makes no
 * calls.
 */
export const authorTeamRule: PolicyRule = (subject) =>
  subject.record.author_teams.every((team) => isAllowedTeam(team, subject)) ? "allow" : { reason: "foreign_author" };

/** Requires that the author exists. */
export const userExistsRule: PolicyRule = async ({ record, directory }) =>
  (await directory.user(record.user_id)) === undefined ? { reason: "unknown_user" } : "allow";

/** Denies deactivated accounts. */
export const activeUserRule: PolicyRule = async ({ record, directory }) => {
  const user = await directory.user(record.user_id);
  return user?.deleted === false ? "allow" : { reason: "deactivated" };
};

/** Denies bots, including those that the event does not reveal. */
export const noBotsRule: PolicyRule = async ({ record, directory }) => {
  const user = await directory.user(record.user_id);
  return user?.bot === false ? "allow" : { reason: "bot" };
};

/** Requires that the author is a member of an allowed team, according to Slack, and not a stranger to the workspace. */
export const noStrangersRule: PolicyRule = async (subject) => {
  const user = await subject.directory.user(subject.record.user_id);
  return user?.stranger === false && isAllowedTeam(user.team_id, subject) ? "allow" : { reason: "stranger" };
};

/** Denies guests, unless the policy allows them. */
export const noGuestsRule: PolicyRule = async ({ record, directory, policy }) => {
  const user = await directory.user(record.user_id);
  const allowed = user !== undefined && (!user.guest || policy.allow_guests);
  return allowed ? "allow" : { reason: "guest" };
};

/** Requires that the author is on the list of people. With an empty list, other rules decide. */
export const userListRule: PolicyRule = ({ record, policy: { allowed_users } }) =>
  allowed_users.size === 0 || allowed_users.has(record.user_id) ? "allow" : { reason: "user_not_listed" };
