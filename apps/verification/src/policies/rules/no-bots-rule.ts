import type { PolicyRule } from "../policy-rule.ts";

/** The author is no bot, also when the event did not say so. */
export const noBotsRule: PolicyRule = {
  name: "no_bots",
  judge: async ({ record, directory }) => {
    const user = await directory.user(record.user_id);
    return user?.bot === false ? "allow" : { reason: "bot" };
  },
};
