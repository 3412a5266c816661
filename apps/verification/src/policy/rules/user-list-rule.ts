import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the author is on the list of people. With an empty list, other rules decide. */
export const userListRule: PolicyRule = {
  name: "user_list",
  judge: ({ record, policy: { allowed_users } }) =>
    allowed_users.size === 0 || allowed_users.has(record.user_id) ? "allow" : { reason: "user_not_listed" },
};
