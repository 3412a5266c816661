import type { PolicyRule } from "../policy-rule.ts";

/** The conversation is on the list of channels. An empty list adds none: what kind of channel it is was judged before. */
export const channelListRule: PolicyRule = {
  name: "channel_list",
  judge: ({ record: { channel }, policy: { allowed_channels } }) => {
    const listed = allowed_channels.has(channel) || (channel.startsWith("D") && allowed_channels.has("dm"));
    return allowed_channels.size === 0 || listed ? "allow" : { reason: "channel_not_listed" };
  },
};
