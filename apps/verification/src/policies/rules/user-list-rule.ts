import type { PolicyRule } from "../policy-rule.ts";

/** The author is on the list of people. An empty list adds nobody: whose member somebody is was judged before. */
export const userListRule: PolicyRule = {
  name: "user_list",
  judge: ({ record, policy: { allowed_users } }) =>
    allowed_users.size === 0 || allowed_users.has(record.user_id) ? "allow" : { reason: "user_not_listed" },
};
