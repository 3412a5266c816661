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

/** Requires that the event's teams exist and the app can see them. An organization is not a team and has no `team.info`. */
export const teamExistsRule: PolicyRule = async ({ record, directory }) => {
  const teams = record.teams.filter((team) => !team.startsWith("E"));
  const found = await Promise.all(teams.map(directory.team));
  return found.includes(undefined) ? { reason: "unknown_team" } : "allow";
};

/** Requires that the conversation exists and the app can see it. */
export const channelExistsRule: PolicyRule = async ({ record, directory }) =>
  (await directory.channel(record.channel)) === undefined ? { reason: "unknown_channel" } : "allow";

/** Denies archived conversations, because no answer can be posted there. */
export const notArchivedRule: PolicyRule = async ({ record, directory }) => {
  const channel = await directory.channel(record.channel);
  return channel?.archived === false ? "allow" : { reason: "archived" };
};

/** Denies conversations that are shared with another organization, or about to be, unless the policy allows them. */
export const notSharedRule: PolicyRule = async ({ record, directory, policy }) => {
  const channel = await directory.channel(record.channel);
  const allowed = channel !== undefined && (!channel.shared || policy.allow_shared_channels);
  return allowed ? "allow" : { reason: "shared_channel" };
};

/** Requires that the conversation is on the list of channels. With an empty list, other rules decide. */
export const channelListRule: PolicyRule = ({ record: { channel }, policy: { allowed_channels } }) => {
  const listed = allowed_channels.has(channel) || (channel.startsWith("D") && allowed_channels.has("dm"));
  return allowed_channels.size === 0 || listed ? "allow" : { reason: "channel_not_listed" };
};
