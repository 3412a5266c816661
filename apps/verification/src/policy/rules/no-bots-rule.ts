import type { PolicyRule } from "../policy-rule.ts";

/** Denies bots, including those that the event does not reveal. */
export const noBotsRule: PolicyRule = {
  name: "no_bots",
  judge: async ({ record, directory }) => {
    const user = await directory.user(record.user_id);
    return user?.bot === false ? "allow" : { reason: "bot" };
  },
};
