import type { SlackChannel, SlackUser } from "../../slack/slack-api.ts";
import { isAllowedTeam, mayInstall } from "../access-policy.ts";
import type { DenyReason } from "../denials.ts";
import type { PolicyRule, PolicySubject } from "../policy-rule.ts";

type Test<Found> = (found: Found, subject: PolicySubject) => boolean;

/** Returns a rule about the author. An unknown one never passes. */
const userRule =
  (passes: Test<SlackUser>, reason: DenyReason): PolicyRule =>
  async (subject) => {
    const user = await subject.directory.user(subject.record.user_id);
    return user !== undefined && passes(user, subject) ? "allow" : { reason };
  };

/** Returns a rule about the conversation. An unknown one never passes. */
const channelRule =
  (passes: Test<SlackChannel>, reason: DenyReason): PolicyRule =>
  async (subject) => {
    const channel = await subject.directory.channel(subject.record.channel);
    return channel !== undefined && passes(channel, subject) ? "allow" : { reason };
  };

/**
 * Requires that the event's home teams of the author are allowed. An event can name none; `no_strangers` then looks the author up. Makes no
 * calls.
 */
export const authorTeamRule: PolicyRule = (subject) =>
  subject.record.author_teams.every((team) => isAllowedTeam(team, subject)) ? "allow" : { reason: "foreign_author" };

/** Requires that the author exists. */
export const userExistsRule: PolicyRule = userRule(() => true, "unknown_user");

/** Denies deactivated accounts. */
export const activeUserRule: PolicyRule = userRule(({ deleted }) => !deleted, "deactivated");

/** Denies bots, including those that the event does not reveal. */
export const noBotsRule: PolicyRule = userRule(({ bot }) => !bot, "bot");

/** Requires that the author is a member of an allowed team, according to Slack, and not a stranger to the workspace. */
export const noStrangersRule: PolicyRule = userRule(
  ({ stranger, team_id }, subject) => !stranger && isAllowedTeam(team_id, subject),
  "stranger",
);

/** Denies guests, unless the policy allows them. */
export const noGuestsRule: PolicyRule = userRule(({ guest }, { policy }) => !guest || policy.allow_guests, "guest");

/** Requires that the author is on the list of people. With an empty list, other rules decide. */
export const userListRule: PolicyRule = ({ record, policy: { allowed_users } }) =>
  allowed_users.size === 0 || allowed_users.has(record.user_id) ? "allow" : { reason: "user_not_listed" };

/** Denies a workspace whose permission to install the app was withdrawn. Makes no calls. */
export const installerRule: PolicyRule = ({ policy, identity }) =>
  mayInstall(policy, identity) ? "allow" : { reason: "foreign_team" };

/** Requires that the event's envelope names at least one team, and only allowed ones. Makes no calls. */
export const teamListRule: PolicyRule = (subject) => {
  const { teams } = subject.record;
  const allowed = teams.length > 0 && teams.every((team) => isAllowedTeam(team, subject));
  return allowed ? "allow" : { reason: "foreign_team" };
};

/** Requires that the event's teams exist and the app can see them. An organization is not a team and has no `team.info`. */
export const teamExistsRule: PolicyRule = async ({ record, directory }) => {
  const teams = record.teams.filter((team) => !team.startsWith("E"));
  const found = await Promise.all(teams.map(directory.team));
  return found.includes(undefined) ? { reason: "unknown_team" } : "allow";
};

/** Requires that the conversation exists and the app can see it. */
export const channelExistsRule: PolicyRule = channelRule(() => true, "unknown_channel");

/** Denies archived conversations, because no answer can be posted there. */
export const notArchivedRule: PolicyRule = channelRule(({ archived }) => !archived, "archived");

/** Denies conversations that are shared with another organization, or about to be, unless the policy allows them. */
export const notSharedRule: PolicyRule = channelRule(
  ({ shared }, { policy }) => !shared || policy.allow_shared_channels,
  "shared_channel",
);

/** Requires that the conversation is on the list of channels. With an empty list, other rules decide. */
export const channelListRule: PolicyRule = ({ record: { channel }, policy: { allowed_channels } }) => {
  const listed = allowed_channels.has(channel) || (channel.startsWith("D") && allowed_channels.has("dm"));
  return allowed_channels.size === 0 || listed ? "allow" : { reason: "channel_not_listed" };
};
