import type { PolicyRule } from "../policy-rule.ts";

/** The conversation is not archived: no answer could be posted there. */
export const notArchivedRule: PolicyRule = {
  name: "not_archived",
  judge: async ({ record, directory }) => {
    const channel = await directory.channel(record.channel);
    return channel?.archived === false ? "allow" : { reason: "archived" };
  },
};
