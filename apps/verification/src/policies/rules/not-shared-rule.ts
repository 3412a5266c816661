import type { PolicyRule } from "../policy-rule.ts";

/** The conversation is not shared with another organisation, nor about to be, or such channels are let in. */
export const notSharedRule: PolicyRule = {
  name: "not_shared",
  judge: async ({ record, directory, policy }) => {
    const channel = await directory.channel(record.channel);
    const allowed = channel !== undefined && (!channel.shared || policy.allow_shared_channels);
    return allowed ? "allow" : { reason: "shared_channel" };
  },
};
