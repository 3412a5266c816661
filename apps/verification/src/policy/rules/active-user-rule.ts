import type { PolicyRule } from "../policy-rule.ts";

/** Denies deactivated accounts. */
export const activeUserRule: PolicyRule = {
  name: "active_user",
  judge: async ({ record, directory }) => {
    const user = await directory.user(record.user_id);
    return user?.deleted === false ? "allow" : { reason: "deactivated" };
  },
};
