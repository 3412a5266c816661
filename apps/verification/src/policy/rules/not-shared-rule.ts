import type { PolicyRule } from "../policy-rule.ts";

/** Denies conversations that are shared with another organisation, or about to be, unless the policy allows them. */
export const notSharedRule: PolicyRule = {
  name: "not_shared",
  judge: async ({ record, directory, policy }) => {
    const channel = await directory.channel(record.channel);
    const allowed = channel !== undefined && (!channel.shared || policy.allow_shared_channels);
    return allowed ? "allow" : { reason: "shared_channel" };
  },
};
