import type { PolicyRule } from "../policy-rule.ts";

/** Denies archived conversations, because no answer can be posted there. */
export const notArchivedRule: PolicyRule = {
  name: "not_archived",
  judge: async ({ record, directory }) => {
    const channel = await directory.channel(record.channel);
    return channel?.archived === false ? "allow" : { reason: "archived" };
  },
};
