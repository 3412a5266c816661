import type { PolicyRule } from "../policy-rule.ts";

/** Requires that the author exists. */
export const userExistsRule: PolicyRule = {
  name: "user_exists",
  judge: async ({ record, directory }) =>
    (await directory.user(record.user_id)) === undefined ? { reason: "unknown_user" } : "allow",
};
