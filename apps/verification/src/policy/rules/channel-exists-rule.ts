import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the conversation exists and the app can see it. */
export const channelExistsRule: PolicyRule = {
  name: "channel_exists",
  judge: async ({ record, directory }) =>
    (await directory.channel(record.channel)) === undefined ? { reason: "unknown_channel" } : "allow",
};
