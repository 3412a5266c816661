import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the conversation exists and the app can see it. */
export const channelExistsRule: PolicyRule = async ({ record, directory }) =>
  (await directory.channel(record.channel)) === undefined ? { reason: "unknown_channel" } : "allow";

/** Denies archived conversations, because no answer can be posted there. */
export const notArchivedRule: PolicyRule = async ({ record, directory }) => {
  const channel = await directory.channel(record.channel);
  return channel?.archived === false ? "allow" : { reason: "archived" };
};

/** Denies conversations that are shared with another organisation, or about to be, unless the policy allows them. */
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
