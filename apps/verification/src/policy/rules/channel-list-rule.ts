import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the conversation is on the list of channels. With an empty list, other rules decide. */
export const channelListRule: PolicyRule = {
  name: "channel_list",
  judge: ({ record: { channel }, policy: { allowed_channels } }) => {
    const listed = allowed_channels.has(channel) || (channel.startsWith("D") && allowed_channels.has("dm"));
    return allowed_channels.size === 0 || listed ? "allow" : { reason: "channel_not_listed" };
  },
};
